import type { FastifyRequest } from 'fastify'
import type { FieldValues } from '../../model/fields/field-schemas.ts'
import type { FieldName } from '../../model/fields/product-fields.ts'
import { addedFields, type ProductDetail } from '../../model/product/product.schema.ts'
import { type Content, defaultContent } from '../../model/product/product-content.ts'
import type { ProductRow, Structure } from '../../model/product/product-row.ts'
import { showMedia } from '../../model/product/show-media.ts'
import { describeStock } from '../../model/product/stock.ts'
import { showProvenance } from '../../model/provenance/provenance.schema.ts'
import { explainScore, scoreProduct } from '../../model/quality/quality-score.ts'
import type { Ruleset } from '../../model/quality/ruleset.ts'
import type { ChosenView } from '../../model/views/views.ts'
import type { Queryable } from '../../platform/database/database.ts'
import { readOnlyOf } from '../../platform/http/body/read-only-fields.ts'
import { baseUrlOf } from '../../platform/http/request/base-url.ts'
import type { Follows } from '../../platform/response-store/project-entries.ts'
import type { PastContent } from '../past-contents/past-content.sql.ts'
import type { Rulesets } from '../rulesets/rulesets.ts'
import { readStructures } from '../structure/read-structure.ts'
import type { ReadOnly } from './without-read-only.ts'

/** What responses contain besides the product: the currency of its prices, and the base URL of its files. */
export type View = { currency: string; baseUrl: () => string }

export function viewOf(request: FastifyRequest): View {
  return { currency: request.caller.currency, baseUrl: () => baseUrlOf(request) }
}

/**
 * A product for responses, with its ruleset and its relations from other tables. A chosen view changes only the variant prices;
 * `showInView` applies its other values.
 */
export async function showProduct(
  database: Queryable,
  rulesets: Rulesets,
  row: ProductRow,
  view: View,
  chosen?: ChosenView,
): Promise<ProductDetail> {
  const structures = await readStructures(database, [row], chosen)
  return describeProduct(row, view, await rulesets.ofRow(row), structures.get(row.id))
}

/** The products of a page, with one query per table for all of them. */
export async function showProducts(
  database: Queryable,
  rulesets: Rulesets,
  rows: readonly ProductRow[],
  view: View,
  chosen?: ChosenView,
): Promise<ProductDetail[]> {
  const rulesetOf = await rulesets.ofRows(rows)
  const structures = await readStructures(database, rows, chosen)
  return rows.map((row) => describeProduct(row, view, rulesetOf(row), structures.get(row.id)))
}

export type ShowProducts = (database: Queryable, rows: readonly ProductRow[]) => Promise<ProductDetail[]>

/** For a push that compares the read-only fields of its lines with the products. */
export function shownIn(rulesets: Rulesets, view: View): ShowProducts {
  return (database, rows) => showProducts(database, rulesets, rows, view)
}

/** The read-only fields of a request, to compare with the product once it is locked. */
export function readOnlyFor(rulesets: Rulesets, request: FastifyRequest): ReadOnly | undefined {
  const sent = readOnlyOf(request.body as object)
  return sent && { sent, show: (database, row) => showProduct(database, rulesets, row, viewOf(request)) }
}

/**
 * The products whose changes can change the detail of a product: the product itself first. Variants and products that do not exist yet
 * can be any product.
 */
export function followedProducts({
  id,
  product_type,
  parent,
  components = [],
  links = {},
}: ProductDetail): Follows {
  const references = [...(parent ? [parent] : []), ...components, ...Object.values(links).flat()]
  const ids = references.flatMap((reference) => reference.id ?? [])
  const anyProduct = product_type === 'configurable' || ids.length < references.length
  return { objects: [id, ...new Set(ids)], anyProduct }
}

/** Copies fields by name, because a loop over all fields takes three times as long. */
function describeProduct(
  row: ProductRow,
  { currency, baseUrl }: View,
  ruleset: Ruleset,
  structure: Structure | undefined,
): ProductDetail {
  const detail: ProductDetail = {
    id: row.id,
    sku: row.sku,
    name: row.name,
    description: row.description,
    short_description: row.short_description,
    price: row.price,
    currency,
    status: row.status,
    product_type: row.product_type,
    created_at: row.created_at,
    updated_at: row.updated_at,
    project: row.project,
    version: row.version,
    categories: row.categories,
    attributes: row.attributes,
    media: showMedia(row.media, baseUrl),
    parent: structure?.parent ?? null,
    variant_axes: row.variant_axes,
    variants: structure?.variants ?? null,
    components: structure?.components ?? row.components,
    links: structure?.links ?? row.links,
    inventory: structure?.inventory ?? describeStock(row, row.inventory_updated_at),
    quality_score: explainScore(
      row,
      { score: row.quality_score, failed: row.quality_failed, computed_at: row.quality_computed_at },
      ruleset,
    ),
    provenance: showProvenance(row.provenance),
  }
  for (const name of addedFields) copyField(row, detail, name)
  return detail
}

function copyField<Name extends FieldName>(from: FieldValues, to: FieldValues, name: Name): void {
  to[name] = from[name]
}

function missingFields(content: Content): Partial<Content> {
  return Object.fromEntries(
    Object.entries(defaultContent).filter(([name]) => !(name in content)),
  ) as Partial<Content>
}

function withoutViews(content: Content): Content {
  return Object.fromEntries(
    Object.entries(content).filter(([field]) => !field.startsWith('views.')),
  ) as Content
}

/** A past version of a product. Stock has no versions, so it is omitted. */
export function describePast(
  id: number,
  project: number,
  past: PastContent,
  { currency, baseUrl }: View,
  ruleset: Ruleset,
): ProductDetail {
  const { content, version, created_at, updated_at } = past
  // A field that did not exist yet had its default.
  const { inventory: _settings, ...fields } = withoutViews({ ...content, ...missingFields(content) })
  const quality = { ...scoreProduct(fields, ruleset), computed_at: updated_at }
  return {
    id,
    project,
    ...fields,
    media: showMedia(fields.media, baseUrl),
    currency,
    version,
    created_at,
    updated_at,
    quality_score: explainScore(fields, quality, ruleset),
    provenance: showProvenance(past.provenance),
    proposal: past.proposal,
  }
}
