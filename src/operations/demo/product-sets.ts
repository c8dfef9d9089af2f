import { readFileSync } from 'node:fs'
import { Type } from 'typebox'
import { closed } from '../../platform/http/closed.ts'
import { compileBody } from '../../platform/http/request/validate-body.ts'
import { AttributeValue, Words } from './product-lines.ts'

/**
 * What a set contains: without a size each size of the model; without an option its first one, or each where the customer
 * has a choice. The first product of a choice is its default.
 */
const PartSchema = Type.Object(
  {
    noun: Type.String(),
    size: Type.Optional(Type.String()),
    option: Type.Optional(Type.String()),
    quantity: Type.Optional(Type.Integer()),
    choice: Type.Optional(Type.String()),
  },
  closed,
)
export type Part = Type.Static<typeof PartSchema>

/** A bundle or a group of products of the shop, once for each version. What they cost and weigh follows from the products. */
const ProductSetSchema = Type.Object(
  {
    sku: Type.String(),
    type: Type.Union([Type.Literal('bundle'), Type.Literal('grouped')]),
    noun: Type.String(),
    /** May name {noun} and {size}. */
    name: Type.String(),
    point: Type.String(),
    text: Type.String(),
    /** The words before what it contains. */
    contents: Type.String(),
    details: Words,
    closings: Words,
    category: Type.String(),
    categories: Words,
    /** The attribute that the name of the version goes to. */
    label: Type.String(),
    attributes: Type.Record(Type.String(), AttributeValue),
    /** How much less a bundle costs than its products one by one. */
    saving_percent: Type.Optional(Type.Number()),
    versions: Type.Record(Type.String(), Type.Array(PartSchema)),
  },
  closed,
)
export type ProductSet = Type.Static<typeof ProductSetSchema>

export function readProductSets(): ProductSet[] {
  const check = compileBody(ProductSetSchema)
  return ['bundles', 'groups'].flatMap((name) => {
    const file = new URL(`data/${name}.json`, import.meta.url)
    const { shared, sets } = JSON.parse(readFileSync(file, 'utf8')) as { shared: object; sets: object[] }
    return sets.map((set) => {
      const result = check({ ...shared, ...set })
      if ('value' in result) return result.value as ProductSet
      throw new Error(`${file.pathname}: ${JSON.stringify(result.error.extras.errors)}`)
    })
  })
}
