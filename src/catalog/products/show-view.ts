import type { FastifyRequest } from 'fastify'
import { viewCodePattern } from '../../model/fields/view-paths.ts'
import type { ProductDetail } from '../../model/product/product.schema.ts'
import { showMedia } from '../../model/product/show-media.ts'
import { resolveView } from '../../model/views/resolve-view.ts'
import { type ViewContent, viewsIn, withoutSources } from '../../model/views/view-values.ts'
import type { ChosenView, Views } from '../../model/views/views.ts'
import { moveHiddenErrors } from '../../platform/http/body/json-body.ts'
import { Problem } from '../../platform/http/problems.ts'
import type { RawQuery } from '../../platform/http/query/query-string.ts'
import { suggestNames } from '../../platform/http/request/suggest-names.ts'

/** Undefined if the request names none. */
export function chooseView(
  views: Views | undefined,
  code: string | undefined,
  resolve?: 'parent',
): ChosenView | undefined {
  if (code === undefined) return undefined
  if (resolve !== undefined) throw invalidView('cannot be combined with resolve', 'not_in_view')
  const view = views?.byCode.get(code)
  if (views !== undefined && view !== undefined) return { view, views }
  const hint = suggestNames(code, [...(views?.byCode.keys() ?? [])])
  throw invalidView(`is not a view of this project${hint}`, 'unknown_view')
}

function invalidView(message: string, code: string): Problem {
  return new Problem('invalid_parameters', { errors: [{ parameter: 'view', code, message }] })
}

/** A detail as the view shows it. `content` has the stored values. */
export function showInView(
  detail: ProductDetail,
  content: ViewContent & Pick<ProductDetail, 'media'>,
  { view, views }: ChosenView,
  baseUrl: () => string,
): ProductDetail {
  const { name, description, short_description, price, status, product_type, attributes } = detail
  const base = { name, description, short_description, price, status, product_type, attributes }
  const { values, ...shown } = resolveView(
    { ...base, media: content.media, ...viewsOf(content) },
    view,
    views,
  )
  return {
    ...detail,
    ...values,
    media: showMedia(values.media, baseUrl),
    currency: view.currency,
    view: { code: view.code, ...shown },
  }
}

/** Filters and orders that read values of the base, which a view can show differently. */
const ofBase = [
  ...['search', 'name__icontains', 'match', 'search_in', 'attributes', 'price__gte', 'price__lte'],
  ...['quality_score__gte', 'quality_score__lte', 'quality_rule', 'has_image', 'ordering'],
]

/** A list in a view has only the filters and the order that mean the same in every view. */
export function rejectOutsideView(query: object): void {
  const given = Object.entries(query).filter(
    ([name, value]) => value !== undefined && ofBase.includes(name) && !isOrderOfIds(name, value),
  )
  const errors = given.map(([parameter]) => ({
    ...{ parameter, code: 'not_in_view', message: 'cannot be combined with view' },
  }))
  if (errors.length > 0) throw new Problem('invalid_parameters', { errors })
}

/** The ID, the SKU and the times are the same in every view. */
function isOrderOfIds(name: string, value: unknown): boolean {
  const common = ['id', 'sku', 'product_type', 'created_at', 'updated_at']
  return (
    name === 'ordering' &&
    String(value)
      .split(',')
      .every((field) => common.includes(field.replace(/^-/, '')))
  )
}

function viewsOf(content: object): ViewContent {
  return Object.fromEntries(Object.entries(content).filter(([field]) => field.startsWith('views.')))
}

/** A detail with the stored values of all views that the project has. */
export function withViews(
  detail: ProductDetail,
  content: object,
  views: Views | undefined,
  baseUrl: () => string,
): ProductDetail {
  const shown = [...viewsIn(content)]
    .filter(([code]) => views?.byCode.has(code) === true)
    .map(([code, values]) => {
      const { media, ...own } = withoutSources(values)
      return [code, media === undefined ? own : { ...own, media: showMedia(media, baseUrl) }] as const
    })
  return { ...detail, views: Object.fromEntries(shown) }
}

const validCode = new RegExp(viewCodePattern)

/** Before validation: with `view`, the body of a patch contains values of that view. */
export async function nestInView(request: FastifyRequest): Promise<void> {
  const [, code = ''] = (request.query as RawQuery).pairs.find(([name]) => name === 'view') ?? []
  const { body } = request
  if (!validCode.test(code) || typeof body !== 'object' || body === null || Array.isArray(body)) return
  const { provenance, ...values } = body as { provenance?: unknown }
  const nested = { ...(provenance !== undefined && { provenance }), views: { [code]: values } }
  moveHiddenErrors(body, nested, `/views/${code}`)
  request.body = nested
}
