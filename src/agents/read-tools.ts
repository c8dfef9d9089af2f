import type { Server } from '../platform/http/server.ts'
import { responseLimits } from '../platform/limits/responses.ts'
import type { CallRoute } from './call-route.ts'
import { agentLimits } from './limits.ts'
import { pageContent, pageOutput, shortenedOutput } from './page-content.ts'
import { shortened } from './shorten-content.ts'
import { type Arguments, type Content, objectOf, outputOf, type Session, type Tool } from './tool.ts'
import { errorOf } from './tool-error.ts'
import { parametersOf, queryOf } from './tool-query.ts'

const results = { results: { type: 'array', items: { type: 'object' } } }
export const paged = outputOf({ ...pageOutput, ...shortenedOutput }, results)

/** A list of the API as the content of a tool. */
export async function listContent(session: Session, path: string, args: Arguments): Promise<Content> {
  const { page = 1, page_size: given = agentLimits.pageItems, ...rest } = args as Partial<Requested>
  // The API shortens a page that is too large, so the number of its items is decided here.
  const page_size = Math.min(given, responseLimits.pageItems)
  const found = await session.call('GET', path, { query: queryOf({ ...rest, page, page_size }) })
  const last = Math.max(1, Math.ceil(found.count / page_size))
  return pageContent(found, { page: page === 'last' ? last : Number(page), page_size })
}

type Requested = { page: number | string; page_size: number }

export function readTools(app: Server): Tool[] {
  const read = { scope: 'products:read', isReadOnly: true } as const
  return [
    {
      ...read,
      name: 'search_products',
      title: 'Search products',
      description:
        'Finds products by text, status, category, attribute, price, stock, quality score or failed quality rule. Returns the exact count and one page of products. Changes nothing.',
      input: objectOf(parametersOf(app, '/products')),
      output: paged,
      run: (args, session) => listContent(session, '/products', args),
    },
    {
      ...read,
      name: 'get_product',
      title: 'Get a product',
      description:
        'Returns one product with all its fields, its quality score and the rules that it fails, by `id` or by `sku`. Changes nothing.',
      // Not as alternatives: the APIs of models reject tools with `oneOf` at the top level.
      input: {
        ...objectOf({ id: { type: 'integer', minimum: 0 }, sku: { type: 'string', minLength: 1 } }),
        minProperties: 1,
        maxProperties: 1,
      },
      output: outputOf({ ...productFields, ...shortenedOutput }, {}),
      run: async ({ id: given, sku }, { call }) => {
        const id = given ?? (await findId(call, String(sku)))
        if (id === undefined) return errorOf({ code: 'not_found', detail: 'No product has this SKU.' })
        return shortened(productContent(await call('GET', `/products/${id}`)))
      },
    },
    {
      ...read,
      name: 'product_history',
      title: 'List changes to a product',
      description:
        'Returns who changed which field of a product, when, and the values before and after, newest first. Does not revert anything.',
      input: objectOf(
        { id: { type: 'integer', minimum: 0 }, ...parametersOf(app, '/products/:id/history') },
        ['id'],
      ),
      output: paged,
      run: ({ id, ...args }, session) => listContent(session, `/products/${id}/history`, args),
    },
    {
      ...read,
      name: 'count_values',
      title: 'Count attribute values',
      description:
        'Counts the products per value of up to ten attributes, for all products or for those that match filters. Changes nothing.',
      input: objectOf(parametersOf(app, '/products/facets'), ['facets']),
      output: outputOf({ count: { type: 'integer' }, ...shortenedOutput }, { facets: { type: 'array' } }),
      run: async (args, { call }) => {
        const { count, facets } = await call('GET', '/products/facets', { query: queryOf(args) })
        return shortened({ count, untrusted: { facets } })
      },
    },
  ]
}

/** Not by path: a SKU such as `..` would name another route. */
async function findId(call: CallRoute, sku: string): Promise<number | undefined> {
  const { results: found } = await call('GET', '/products', { query: queryOf({ sku, page_size: 1 }) })
  return found[0]?.id
}

/** The fields of a product that the service computes or checks. All others contain text that people wrote. */
const productFields = {
  id: { type: 'integer' },
  project: { type: 'integer' },
  version: { type: 'integer', description: 'Increases with every change' },
  status: { type: 'string' },
  product_type: { type: 'string' },
  price: { type: ['number', 'null'] },
  currency: { type: 'string' },
  created_at: { type: 'string' },
  updated_at: { type: 'string' },
  score: { type: 'integer', description: 'Quality score from 0 to 100' },
}

function productContent(product: Record<string, unknown> & { quality_score: { score: number } }): Content {
  const own = Object.keys(productFields)
  const split = Object.groupBy(Object.entries(product), ([name]) => (own.includes(name) ? 'own' : 'written'))
  return {
    ...Object.fromEntries(split.own ?? []),
    score: product.quality_score.score,
    untrusted: Object.fromEntries(split.written ?? []),
  }
}
