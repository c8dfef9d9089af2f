import { readFileSync } from 'node:fs'
import type { NewProduct } from '../../model/product/product-input.schema.ts'
import { linkKinds } from '../../model/structure/structure.schema.ts'
import type { Offer } from './offer.ts'

/** Of a model or set: the models and sets to show beside it, by kind. */
type DemoLinks = Record<string, { [Kind in (typeof linkKinds)[number]]?: string[] }>

export function readDemoLinks(): DemoLinks {
  return JSON.parse(readFileSync(new URL('data/links.json', import.meta.url), 'utf8')) as DemoLinks
}

/** The products with their links: from what stands for a model, its parent if it has one, to what stands for another that is sold. */
export function linked(offers: Offer[], links: DemoLinks): NewProduct[] {
  const standing = new Map<string, NewProduct>()
  for (const { noun, product } of offers) if (!standing.has(noun)) standing.set(noun, product)
  return offers.map(({ noun, product }) => {
    const named = standing.get(noun) === product ? (links[noun] ?? {}) : {}
    const kinds = linkKinds
      .map(
        (kind) => [kind, (named[kind] ?? []).flatMap((other) => referenceTo(standing.get(other)))] as const,
      )
      .filter(([, references]) => references.length > 0)
    return { ...product, links: Object.fromEntries(kinds) }
  })
}

function referenceTo(product: NewProduct | undefined): { sku: string }[] {
  return product === undefined ? [] : [{ sku: product.sku }]
}
