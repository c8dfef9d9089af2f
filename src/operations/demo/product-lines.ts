import { readFileSync } from 'node:fs'
import { Type } from 'typebox'
import { ProductType } from '../../model/fields/product-fields.ts'
import { closed } from '../../platform/http/closed.ts'
import { compileBody } from '../../platform/http/request/validate-body.ts'

export const Words = Type.Array(Type.String())
export const AttributeValue = Type.Union([Type.String(), Type.Number(), Type.Boolean()])

const SizeSchema = Type.Object(
  {
    price: Type.Number(),
    /** Only of products that ship. */
    weight_g: Type.Optional(Type.Number()),
  },
  closed,
)

const ModelSchema = Type.Object(
  {
    noun: Type.String(),
    /** Ends the short description: "Tunnel tent" + "with a porch for two packs". */
    point: Type.String(),
    text: Type.String(),
    sizes: Type.Record(Type.String(), SizeSchema),
    options: Type.Optional(Words),
    attributes: Type.Record(Type.String(), AttributeValue),
    /** Names from the root, with slashes between them. */
    category: Type.Optional(Type.String()),
  },
  closed,
)
export type Model = Type.Static<typeof ModelSchema>

/**
 * Products of one kind. Every model comes in its sizes and options; texts may name {brand}, {noun}, {size} and
 * {option}, or {Option} in title case.
 */
const ProductLineSchema = Type.Object(
  {
    sku: Type.String(),
    /** Likewise; a model's own category stands before them. */
    categories: Words,
    type: ProductType,
    count: Type.Integer(),
    brands: Words,
    names: Words,
    /** The attribute that the label of the size goes to. */
    axis: Type.String(),
    /** The attribute that the option goes to. */
    option: Type.String(),
    options: Words,
    attributes: Type.Record(Type.String(), Type.Array(AttributeValue)),
    details: Words,
    closings: Words,
    models: Type.Array(ModelSchema),
  },
  closed,
)
export type ProductLine = Type.Static<typeof ProductLineSchema>

/** The order decides what the seeded random numbers draw. */
const trades = ['outdoor', 'kitchen', 'lighting', 'office', 'garden', 'toys', 'services'] as const

/** The files are read when a demo is made; nothing else needs them. */
export function readProductLines(): ProductLine[] {
  const check = compileBody(ProductLineSchema)
  return trades.flatMap((trade) => {
    const file = new URL(`data/${trade}.json`, import.meta.url)
    const { shared, lines } = JSON.parse(readFileSync(file, 'utf8')) as { shared: object; lines: object[] }
    return lines.map((line) => {
      const result = check({ ...shared, ...line })
      if ('value' in result) return result.value as ProductLine
      throw new Error(`${file.pathname}: ${JSON.stringify(result.error.extras.errors)}`)
    })
  })
}
