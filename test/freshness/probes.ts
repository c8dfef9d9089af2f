import type { Body } from './client.ts'
import type { Family } from './family.ts'
import { existenceOf, firstPrice, turnOf, turnOfSequence } from './family-values.ts'
import { type FamilyObserver, observeFamily } from './observe-family.ts'
import type { Observed } from './registers.ts'

/** A read, and what its response shows. */
export type Probe = {
  path: string
  /** Without a body if the object does not exist. */
  observe: (body: Body) => Observed[]
  /** Whether the object can be removed. */
  isRemovable?: boolean
}

/** Reads that show the values of a family, directly or through other products. */
export function familyProbes(family: Family): (Probe | (() => Probe))[] {
  const observer = observeFamily(family)
  return [
    ...detailProbes(family, observer),
    ...productListProbes(family, observer),
    () => erasedProbe(family.erased),
    ...categoryProbes(family, observer),
  ]
}

function erasedProbe(id: number): Probe {
  return {
    path: `products/${id}`,
    isRemovable: true,
    observe: (body) => [[existenceOf(id), body === undefined ? 1 : 0]],
  }
}

function detailProbes({ name, ids }: Family, { see, ofSingle, ofParent }: FamilyObserver): Probe[] {
  return [
    { path: `products/${ids.single}`, observe: ofSingle },
    { path: `products/by-sku/${name}-single`, observe: ofSingle },
    { path: `products/${ids.parent}`, observe: ofParent },
    { path: `products/by-sku/${name}-parent`, observe: ofParent },
    {
      path: `products/${ids.variant}?resolve=parent`,
      observe: ({ sku, description, inventory }) => [
        see('sku', turnOf(sku)),
        see('text', turnOf(description)),
        see('stock', inventory.quantity),
      ],
    },
    {
      path: `products/${ids.bundle}`,
      observe: ({ inventory, components }) => [
        see('stock', inventory.quantity),
        see('sku', turnOf(components[0].sku)),
      ],
    },
    {
      path: `products/${ids.group}`,
      observe: ({ inventory, components }) => [
        see('total stock', inventory.quantity),
        see('sku', turnOf(components[0].sku)),
      ],
    },
  ]
}

function productListProbes(
  { name, ids, category }: Family,
  { see, ofSingle, ofProducts, ofVariants }: FamilyObserver,
): Probe[] {
  return [
    { path: `products?category=${category}&page_size=1`, observe: ({ count }) => [ofProducts(count)] },
    { path: `products?search=${name}x`, observe: ({ results }) => [see('name', turnOf(results[0].name))] },
    {
      path: `products?attributes__family=${name}&expand=detail`,
      observe: ({ results }) => ofSingle(results[0]),
    },
    {
      path: `products?linked_to=${ids.variant}&expand=detail`,
      observe: ({ results }) => ofSingle(results[0]),
    },
    {
      path: `products?parent=${ids.parent}&page_size=1`,
      observe: ({ count }) => [ofVariants(count)],
    },
    {
      path: `products?price__gte=${firstPrice}&sku__in=${name}-priced&expand=detail`,
      observe: ({ results }) => [see('price', results[0].price - firstPrice)],
    },
    {
      path: `products/facets?facets=tag&category=${category}`,
      observe: ({ count, facets }) => [see('tag', turnOf(facets[0].values[0].value)), ofProducts(count)],
    },
    {
      path: `products?attributes__family=${name}-retired&status=archived`,
      observe: ({ results }) => [see('retired', turnOfSequence(results.map(({ sku }: Body) => sku)))],
    },
  ]
}

function categoryProbes({ name }: Family, { see, ofBranches, ofTree }: FamilyObserver): Probe[] {
  return [
    {
      path: `categories?search=${name}%20leaf&expand=counts`,
      observe: ({ results }) => [see('category', turnOf(results[0].path[1]))],
    },
    {
      path: `categories?search=${name}%20branch`,
      observe: ({ results }) => [ofBranches(results), see('category', turnOf(results[0].path[1]))],
    },
    { path: 'categories/tree', observe: ({ results }) => ofTree(results) },
  ]
}
