import type { Server } from '../platform/http/server.ts'
import { responseLimits } from '../platform/limits/responses.ts'
import type { CallRoute } from './call-route.ts'
import { agentLimits } from './limits.ts'
import { type Place, pageContent, pageOutput, shortenedOutput } from './page-content.ts'
import { type Arguments, type Content, objectOf, outputOf, type Session, type Tool } from './tool.ts'
import { parametersOf, queryOf } from './tool-query.ts'
import { shortened } from './tool-result.ts'

const results = { results: { type: 'array', items: { type: 'object' } } }
export const paged = outputOf({ ...pageOutput, ...shortenedOutput }, results)

/** A list of the API as the content of a tool. */
export async function listContent(session: Session, path: string, args: Arguments): Promise<Content> {
  const { page = 1, page_size: given = agentLimits.pageItems, ...rest } = args as Partial<Place>
  // The API shortens a page that is too large, so the number of its items is decided here.
  const page_size = Math.min(given, responseLimits.pageItems)
  const found = await session.call('GET', path, { query: queryOf({ ...rest, page, page_size }) })
  return pageContent(found, { page, page_size })
}

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
      input: {
        ...objectOf({ id: { type: 'integer', minimum: 0 }, sku: { type: 'string', minLength: 1 } }),
        oneOf: [{ required: ['id'] }, { required: ['sku'] }],
      },
      output: outputOf({ ...productFields, ...shortenedOutput }, {}),
      run: async ({ id, sku }, { call }) =>
        shortened(productContent(await call('GET', `/products/${id ?? (await idOf(call, String(sku)))}`))),
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

/** Not by path: a SKU such as `..` would name another route. No product has the ID 0. */
async function idOf(call: CallRoute, sku: string): Promise<number> {
  const { results: found } = await call('GET', '/products', { query: queryOf({ sku, page_size: 1 }) })
  return found[0]?.id ?? 0
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
