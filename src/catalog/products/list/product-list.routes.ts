import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { contentOf } from '../../../model/product/product-content.ts'
import type { ProductRow } from '../../../model/product/product-row.ts'
import { abortQueries } from '../../../platform/database/abort-queries.ts'
import type { ShareReads } from '../../../platform/database/batching/share-reads.ts'
import type { Database } from '../../../platform/database/database.ts'
import { ref } from '../../../platform/http/openapi.ts'
import { baseUrlOf } from '../../../platform/http/request/base-url.ts'
import { disconnectSignal } from '../../../platform/http/response/client-disconnect.ts'
import type { ReadLargePage } from '../../../platform/http/response/large-pages.ts'
import { pageEnvelope, pageText, readPage } from '../../../platform/http/response/page-envelope.ts'
import { responseLimits } from '../../../platform/limits/responses.ts'
import type { Rulesets } from '../../rulesets/rulesets.ts'
import { prepareFilters } from '../prepare-filters.ts'
import {
  ListedProductPageSchema,
  ProductDetailPageSchema,
  type ProductQuery,
  ProductQuerySchema,
} from '../product-list.schema.ts'
import { showProducts, viewOf } from '../show-product.ts'
import { chooseView, rejectOutsideView, showInView } from '../show-view.ts'
import { attributeHint } from './attribute-hint.ts'
import { explainMatch, type Leveled } from './explain-match.ts'
import type { LargeProjects } from './large-projects.ts'
import { listMatches, listProductDetails, listProducts, type SharedPages } from './product-list.sql.ts'
import { rankingOf } from './relevance.sql.ts'

const detailPage = ProductDetailPageSchema as unknown as Record<string, unknown>

/** The start of a page without results. */
const emptyPage = '{"count":0,'

/** Shared by all lists of a worker. */
type ListParts = {
  rulesets: Rulesets
  largeProjects: LargeProjects
  sharedPages: SharedPages
  readLargePage: ReadLargePage
  sharePage: ShareReads<string | Buffer>
}
type ListRequest = FastifyRequest<{ Querystring: ProductQuery }>

export function productListRoutes(database: Database, parts: ListParts): FastifyPluginAsyncTypebox {
  // Concurrent requests for the same page share one text, including its links. A large page is shared as bytes.
  function readPageText(request: ListRequest, reply: FastifyReply): Promise<string | Buffer> {
    const { project_id, ruleset, currency } = request.caller
    // A page that was checked by older rules is not shared with a request that knows newer ones.
    const id = `${project_id} ${ruleset} ${currency} ${baseUrlOf(request)}${request.url}`
    const load = async (signal: AbortSignal) => {
      const text = await listPage(database, parts, request, reply, signal)
      return text.length > responseLimits.smallBytes ? Buffer.from(text) : text
    }
    const isLong = expansions(request.query).includes('detail')
    // Items come from shared statements, so watching for disconnected clients would cost more than it saves.
    const signal = isLong ? disconnectSignal(reply) : undefined
    return parts.sharePage({ id, load, signal, isLong })
  }

  return async (app) => {
    app.get(
      '/products',
      {
        config: {
          scope: 'products:read',
          problems: ['invalid_page', 'page_too_large', 'view_marking'],
          cached: 'list',
        },
        schema: {
          tags: ['Products'],
          operationId: 'listProducts',
          summary: 'List products',
          description:
            'Returns one page of the products that match every filter, with their exact count. Items have 7 fields, or all fields with `expand=detail`; `expand=match` adds why they match `search`. To read every product once, follow `next` until it is null. `ordering` sorts the list; the ID breaks ties, in the direction of the last field.',
          querystring: ProductQuerySchema,
          response: { 200: ref(ListedProductPageSchema) },
        },
      },
      async (request, reply) => {
        const text = await readPageText(request, reply)
        const { attributes } = request.query
        if (attributes !== undefined && text.indexOf(emptyPage) === 0) {
          const ruleset = await parts.rulesets.of(request.caller)
          const hint = await attributeHint(database, request.caller.project_id, ruleset, attributes)
          if (hint !== undefined) reply.header('catalog-hint', hint)
        }
        // Text with a content type is sent unchanged.
        reply.type('application/json; charset=utf-8')
        return text as never
      },
    )
  }
}

async function listPage(
  database: Database,
  { rulesets, largeProjects, sharedPages, readLargePage }: ListParts,
  request: ListRequest,
  reply: FastifyReply,
  signal: AbortSignal,
): Promise<string> {
  const { caller, query } = request
  const page = readPage(query)
  const { views } = query.view === undefined ? { views: undefined } : await rulesets.of(caller)
  const chosen = chooseView(views, query.view)
  if (chosen !== undefined) rejectOutsideView(query)
  const filters = await prepareFilters(database, rulesets, caller, query)
  const isLargeProject = largeProjects.has(caller.project_id)
  const list = { filters, ordering: orderingOf(query), page, isLargeProject }
  const expand = expansions(query)
  const ranking = expand.includes('match') ? rankingOf(filters) : undefined
  const addMatch = <Item extends object>(item: Item, row: Partial<Leveled>) =>
    ranking === undefined ? item : { ...item, match: explainMatch(row as Leveled, ranking.words) }
  if (expand.includes('detail')) {
    const reader = abortQueries(database, signal)
    const read = (maxBytes: number) => listProductDetails(reader, caller.project_id, list, maxBytes, ranking)
    const { count, results } = await readLargePage(caller.project_id, page, read, signal)
    const view = viewOf(request)
    const shown = await showProducts(reader, rulesets, results, view, chosen)
    const details =
      chosen === undefined
        ? shown
        : shown.map((one, index) =>
            showInView(one, contentOf(results[index] as ProductRow), chosen, view.baseUrl),
          )
    signal.throwIfAborted()
    const serialize = reply.compileSerializationSchema(detailPage)
    const items = details.map((item, index) => addMatch(item, results[index] ?? {}))
    return serialize(pageEnvelope(request, page, { count, results: items }))
  }
  if (ranking === undefined) {
    const found = await listProducts(database, sharedPages, caller.project_id, list, chosen?.view)
    return pageText(request, page, found.count, found.items)
  }
  const { count, results } = await listMatches(database, caller.project_id, list, ranking)
  const items = results.map(({ id, sku, name, status, product_type, created_at, project, ...row }) =>
    addMatch({ id, sku, name, status, product_type, created_at, project }, { ...row, name, sku }),
  )
  return JSON.stringify(pageEnvelope(request, page, { count, results: items }))
}

function expansions({ expand }: ProductQuery): string[] {
  return expand?.split(',') ?? []
}

/** A search that allows typos finds much that was not meant, so what was probably meant comes first. */
function orderingOf({ ordering, match }: ProductQuery): string | undefined {
  return ordering ?? (match === 'close' ? 'relevance' : undefined)
}
