import { expect } from 'vitest'
import { findWrongReferences } from '../../src/catalog/structure/wrong-references.sql.ts'
import type { ProductDetail } from '../../src/model/product/product.schema.ts'
import { describeStock } from '../../src/model/product/stock.ts'
import type { Component, Links, Reference } from '../../src/model/structure/structure.schema.ts'
import { sql } from '../../src/platform/database/sql.ts'
import type { Tenant, TestService } from '../harness.ts'

/** A product from its own row, without values that are computed from others. */
type Row = {
  id: number
  sku: string
  product_type: string
  status: string
  price: number | null
  attributes: Record<string, unknown>
  parent: Reference | null
  variant_axes: string[]
  components: Component[]
  links: Links
  tracked: boolean
  quantity: number
  reserved: number
  low_stock_threshold: null
  backorders: boolean
}

/** At any time, product_references matches the products, and no two variants of one parent have the same values. */
export async function expectExactReferences({ database }: TestService, { project }: Tenant): Promise<void> {
  const found = await findWrongReferences(database, { project_id: project, id: 0 }, 100)
  expect(found?.wrong.filter(({ project_id }) => project_id === project) ?? []).toEqual([])
}

/** Compares every detail and every filter with values that are computed from the rows. */
export async function expectMatchesRows(service: TestService, shop: Tenant): Promise<void> {
  await expectExactReferences(service, shop)
  const rows = await service.database.query(sql<Row>`
    select id, sku, product_type, status, price, attributes, parent, variant_axes, components, links,
           tracked, quantity, reserved, low_stock_threshold, backorders
    from products where project_id = ${shop.project} order by id`)
  const model = modelOf(rows)
  const { body } = await shop.call('/v2/products?expand=detail&page_size=100')
  const details = body.results as Required<ProductDetail>[]
  expect(details.map(({ id }) => id)).toEqual(rows.map(({ id }) => id))
  for (const [index, row] of rows.entries()) {
    const { parent, components, links, variants, inventory } = details[index] as Required<ProductDetail>
    expect({ sku: row.sku, parent, components, links }).toEqual({ sku: row.sku, ...model.shown(row) })
    expect(sorted(variants), row.sku).toEqual(sorted(model.variants(row)))
    expect(inventory, row.sku).toMatchObject(model.inventory(row))
    model.expectDistinctVariants(row)
  }
  const found = async (query: string) =>
    (await shop.call(`/v2/products?page_size=100&${query}`)).body.results.map(({ id }: Row) => id)
  const those = (keeps: (detail: Required<ProductDetail>) => boolean) =>
    details.filter(keeps).map(({ id }) => id)
  for (const wanted of [true, false]) {
    expect(await found(`in_stock=${wanted}`), `in_stock=${wanted}`).toEqual(
      those(({ inventory }) => inventory.in_stock === wanted),
    )
    expect(await found(`unbound=${wanted}`)).toEqual(
      those(({ parent, components, links }) => {
        const named = [...(parent ? [parent] : []), ...components, ...Object.values(links).flat()]
        return named.some(({ id }) => id === null) === wanted
      }),
    )
  }
  // The others reference the first ones.
  for (const { id } of rows.slice(0, 5)) {
    expect(await found(`parent=${id}`)).toEqual(those(({ parent }) => parent?.id === id))
    expect(await found(`component=${id}`)).toEqual(
      those(({ components }) => components.some((part) => part.id === id)),
    )
    expect(await found(`linked_to=${id}`)).toEqual(
      those(({ links }) =>
        Object.values(links)
          .flat()
          .some((link) => link.id === id),
      ),
    )
  }
}

/** The values of an axis are sorted. */
function sorted(variants: ProductDetail['variants'] | null): unknown {
  if (variants == null) return null
  const axes = Object.entries(variants.axes).map(([name, values]) => [
    name,
    values.map((one) => JSON.stringify(one)).sort(),
  ])
  return { ...variants, axes }
}

function modelOf(rows: readonly Row[]) {
  const find = ({ id, sku }: Reference) =>
    rows.find((row) => row.id === id) ?? rows.find((row) => row.sku === sku)
  const current = (reference: Reference) => ({
    id: find(reference)?.id ?? null,
    sku: find(reference)?.sku ?? reference.sku,
  })
  const isInStock = (row: Row) => describeStock(row, '').in_stock
  const childrenOf = (row: Row) => rows.filter(({ parent }) => parent !== null && find(parent) === row)
  const variantsOf = (row: Row) => childrenOf(row).filter(({ status }) => status !== 'archived')
  const sum = (some: readonly Row[], of: (row: Row) => number) =>
    some.filter(({ tracked }) => tracked).reduce((total, row) => total + of(row), 0)

  function together(some: readonly Row[]) {
    const quantity = sum(some, (row) => row.quantity)
    const reserved = sum(some, (row) => row.reserved)
    return {
      tracked: some.length === 0 || some.some(({ tracked }) => tracked),
      quantity,
      reserved,
      available: quantity - reserved,
      in_stock: some.some(isInStock),
      computed: true,
    }
  }

  function covered({ quantity, ...reference }: Component): number {
    const part = find(reference)
    if (part === undefined || part.status === 'archived') return 0
    if (!part.tracked || part.backorders) return Number.POSITIVE_INFINITY
    return Math.max(0, Math.floor((part.quantity - part.reserved) / quantity))
  }

  function ofBundle({ components }: Row) {
    const choices = Map.groupBy(components, ({ choice }, index) => choice ?? index)
    const sums = [...choices.values()].map((options) => ({
      first: options[0] as Component,
      covers: options.reduce((total, option) => total + covered(option), 0),
    }))
    const least = Math.min(...sums.map(({ covers }) => covers))
    if (least === Number.POSITIVE_INFINITY) return { tracked: false, in_stock: true, limited_by: null }
    const limit = sums.find(({ covers }) => covers === least) as (typeof sums)[0]
    return {
      tracked: true,
      available: least,
      in_stock: least > 0,
      limited_by: current(limit.first),
      computed: true,
    }
  }

  return {
    shown: ({ parent, components, links }: Row) => ({
      parent: parent && current(parent),
      components: components.map((component) => ({ ...component, ...current(component) })),
      links: Object.fromEntries(Object.entries(links).map(([kind, list]) => [kind, list.map(current)])),
    }),

    variants(row: Row) {
      if (row.product_type !== 'configurable') return null
      const variants = variantsOf(row)
      const prices = variants.flatMap(({ price }) => price ?? [])
      const valuesOf = (axis: string) => [
        ...new Set(variants.flatMap(({ attributes }) => (attributes[axis] as string) ?? [])),
      ]
      return {
        count: variants.length,
        in_stock: variants.filter(isInStock).length,
        axes: Object.fromEntries(
          variants.length === 0 ? [] : row.variant_axes.map((axis) => [axis, valuesOf(axis)]),
        ),
        price: {
          min: prices.length === 0 ? null : Math.min(...prices),
          max: prices.length === 0 ? null : Math.max(...prices),
        },
      }
    },

    inventory(row: Row): object {
      const { product_type: type, components } = row
      if (type === 'configurable' && childrenOf(row).length > 0) return together(variantsOf(row))
      if (type === 'bundle' && components.length > 0) return ofBundle(row)
      if (type === 'grouped' && components.length > 0)
        return together(
          components
            .flatMap((component) => find(component) ?? [])
            .filter(({ status }) => status !== 'archived'),
        )
      const { tracked, quantity, reserved } = row
      return { tracked, quantity, reserved, in_stock: isInStock(row) }
    },

    /** Its variants are bound to it, also older ones. They have one value per axis, and no two have the same values. */
    expectDistinctVariants(row: Row) {
      const { id, product_type, variant_axes } = row
      const bound = rows.filter(({ parent }) => parent?.id === id)
      if (bound.length > 0) expect(product_type).toBe('configurable')
      if (product_type === 'configurable') expect(bound).toEqual(childrenOf(row))
      if (variant_axes.length === 0) return
      const values = bound.map(({ attributes }) =>
        JSON.stringify(variant_axes.map((axis) => attributes[axis])),
      )
      expect(values.join()).not.toContain('null')
      expect(new Set(values).size, values.join()).toBe(bound.length)
    },
  }
}
