import type { FastifyReply, FastifyRequest } from 'fastify'
import { type TSchema, Type } from 'typebox'
import type { Page, PageRequest } from '../../database/statements/select-page.ts'
import { responseLimits } from '../../limits/responses.ts'
import { closed } from '../closed.ts'
import { ref } from '../openapi.ts'
import { Problem } from '../problems.ts'
import { parseQueryString } from '../query/query-string.ts'
import { readInteger } from '../query/query-values.ts'
import { baseUrlOf } from '../request/base-url.ts'

/** Parameters of every list. `page` is text, because a page that is not a number does not exist. */
export const pageParameters = {
  page: Type.Optional(
    Type.Unsafe<string>({
      type: ['integer', 'string'],
      default: 1,
      description: 'Page number from 1, or `last`',
    }),
  ),
  page_size: Type.Optional(
    Type.Integer({
      minimum: 1,
      default: responseLimits.pageItemsByDefault,
      description: `Number of items per page. A value above ${responseLimits.pageItems} is reduced to ${responseLimits.pageItems}. If the page exceeds ${responseLimits.pageBytes / 1024 / 1024} MiB, the request returns \`page_too_large\`, and \`detail\` suggests a smaller page`,
      'x-aliases': ['per_page', 'limit'],
    }),
  ),
}

/** The envelope of a list whose items are a named schema. Its example is a page of these items, or of the schema's own example. */
export function PageOf<Item extends TSchema>(
  item: Item & { examples?: unknown },
  $id: string,
  ...shown: unknown[]
) {
  const results = shown.length > 0 ? shown : [item.examples].flat().filter((example) => example !== undefined)
  const page = { count: results.length, next: null, previous: null, results }
  return EnvelopeOf(ref(item), { $id, ...(results.length > 0 && { examples: [page] }) })
}

export function EnvelopeOf<Item extends TSchema>(
  item: Item,
  options: { $id?: string; examples?: unknown[] } = {},
) {
  return Type.Object(
    {
      count: Type.Integer({ description: 'Exact number of items that match the filters' }),
      next: Type.Unsafe<string | null>({ type: ['string', 'null'], format: 'uri' }),
      previous: Type.Unsafe<string | null>({ type: ['string', 'null'], format: 'uri' }),
      results: Type.Array(item),
    },
    { ...closed, ...options },
  )
}

/** Sends a header that explains what was done instead of what was requested. */
export const hintHeader = {
  'Catalog-Hint': {
    type: 'string',
    description: 'What to request instead, if `page_size` was too large or an attribute is misspelled',
  },
}

/** For every list: reports that a page is smaller than requested. */
export function hintAtPageSize(request: FastifyRequest, reply: FastifyReply, done: () => void): void {
  const { page_size: size = 0 } = request.query as { page_size?: number }
  if (size > responseLimits.pageItems)
    reply.header(
      'catalog-hint',
      `The maximum page_size is ${responseLimits.pageItems}, so ${responseLimits.pageItems} was used.`,
    )
  done()
}

export function readPage({
  page = '1',
  page_size = responseLimits.pageItemsByDefault,
}: {
  page?: string
  page_size?: number
}): PageRequest {
  const size = Math.min(page_size, responseLimits.pageItems)
  if (page === 'last') return { number: 'last', size }
  const number = readInteger(page)
  if (number === undefined || number < 1 || number > Number.MAX_SAFE_INTEGER / size)
    throw new Problem('invalid_page')
  return { number, size }
}

/** The envelope of a list. */
export function pageEnvelope<Item>(
  request: FastifyRequest,
  page: PageRequest,
  { count, results }: Page<Item>,
) {
  return { ...pageLinks(request, page, count), results }
}

/** The envelope as text, around items that are already serialized and separated by commas. */
export function pageText(request: FastifyRequest, page: PageRequest, count: number, items: string): string {
  return `${JSON.stringify(pageLinks(request, page, count)).slice(0, -1)},"results":[${items}]}`
}

/** A page after the last one does not exist, but an empty first page does. */
function pageLinks(request: FastifyRequest, page: PageRequest, count: number) {
  const last = Math.max(1, Math.ceil(count / page.size))
  const number = page.number === 'last' ? last : page.number
  if (number > last)
    throw new Problem('invalid_page', { detail: `Page ${number} does not exist. The last page is ${last}.` })
  return {
    count,
    next: number < last ? pageLink(request, number + 1) : null,
    previous: number > 1 ? pageLink(request, number - 1) : null,
  }
}

/** The URL of the request without its query and a trailing slash. */
export function requestUrl(request: FastifyRequest): string {
  return `${baseUrlOf(request)}${pathOf(request).replace(/\/$/, '')}`
}

function pathOf({ url }: FastifyRequest): string {
  return url.split('?', 1)[0] ?? ''
}

/** The URL of the request with another page: keys are sorted, and page 1 is omitted. */
function pageLink(request: FastifyRequest, number: number): string {
  const { url } = request
  const pairs = parseQueryString(url.includes('?') ? url.slice(url.indexOf('?') + 1) : '').pairs.filter(
    ([name]) => name !== 'page',
  )
  if (number > 1) pairs.push(['page', String(number)])
  // A client that follows a link may repeat one of its filters; the next link has it once.
  const different = new Map(pairs.map((pair) => [pair.join('\0'), pair]))
  const parameters = new URLSearchParams([...different.values()])
  parameters.sort()
  const text = parameters.toString()
  return `${baseUrlOf(request)}${pathOf(request)}${text && `?${text}`}`
}

/** A page of items that are all in memory. */
export function sliceOf<Item>(items: readonly Item[], { number, size }: PageRequest): Page<Item> {
  const start =
    number === 'last' ? Math.max(0, Math.ceil(items.length / size) - 1) * size : (number - 1) * size
  return { count: items.length, results: items.slice(start, start + size) }
}
