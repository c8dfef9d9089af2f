import { Readable } from 'node:stream'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { formatCursor } from '../../../model/events/cursor.ts'
import { findFeedHead } from '../../../model/events/feed-position.sql.ts'
import type { Database } from '../../../platform/database/database.ts'
import { OneOf } from '../../../platform/http/openapi.ts'
import { Problem } from '../../../platform/http/problems.ts'
import { withoutTag } from '../../../platform/http/response/response-headers.ts'
import { streamParts } from '../../../platform/http/response/stream-parts.ts'
import type { Rulesets } from '../../rulesets/rulesets.ts'
import { prepareFilters } from '../prepare-filters.ts'
import { type ProductQuery, productFilters } from '../product-list.schema.ts'
import { parseColumns } from './csv-selection.ts'
import {
  type ExportForm,
  type ExportFormat,
  type ExportPart,
  exportFormats,
  exportProducts,
} from './export-products.ts'
import { chooseViews, type ExportedViews } from './export-views.ts'

const ExportQuerySchema = Type.Object({
  format: Type.Optional(OneOf(exportFormats, { default: 'ndjson' })),
  columns: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 10_000,
      description:
        'CSV only: the columns to return, in order and separated by commas, such as `sku,price,attributes.color`; at most 200. You can also export `id`, `quality_score`, `created_at` and `updated_at`, which a push does not accept. Write a comma in a name as `%2C`',
    }),
  ),
  views: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 2_000,
      description:
        'View codes, separated by commas, such as `de,at`, or `all`. The file then contains the values of these views. In CSV, they are columns such as `name@de`, which `columns` can name instead',
    }),
  ),
  ...productFilters,
})

type ExportQuery = Pick<Type.Static<typeof ExportQuerySchema>, 'format' | 'columns' | 'views'>

const mediaTypes = { ndjson: 'application/x-ndjson', csv: 'text/csv' } as const
const File = Type.String({
  description:
    'One product per line, as POST /products/bulk accepts it; NDJSON lines include `id` and `version`',
})

export function productExportRoutes(database: Database, rulesets: Rulesets): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/products/export',
      {
        config: { scope: 'products:read', problems: ['view_marking'], keepsPace: true },
        schema: {
          tags: ['Products'],
          operationId: 'exportProducts',
          summary: 'Export products as a file',
          description:
            'Returns all products that match the filters of the product list, from one snapshot and ordered by ID. The format is NDJSON or CSV, as a push accepts it. The response is streamed and can have any size. To maintain a copy, export the products first, then read GET /events from the cursor in `Catalog-Cursor`. You miss no change; a change that is already in the file can appear again, with the same version.',
          querystring: ExportQuerySchema,
          response: {
            200: withoutTag(
              {
                description: 'Products from one snapshot, ordered by ID',
                content: { 'application/x-ndjson': { schema: File }, 'text/csv': { schema: File } },
              },
              {
                'Content-Disposition': { type: 'string', required: true, description: 'Suggested file name' },
                'Catalog-Cursor': {
                  type: 'string',
                  required: true,
                  description: 'Send it as `after` to GET /events to read the changes since the snapshot',
                },
              },
            ),
          },
        },
      },
      async (request, reply) => {
        const {
          format = 'ndjson',
          columns,
          views: named,
          ...query
        } = request.query as ProductQuery & ExportQuery
        const views = chooseViews((await rulesets.of(request.caller)).views, named)
        const form = formOf(format, columns, views)
        const filters = await prepareFilters(database, rulesets, request.caller, query)
        reply
          .type(`${mediaTypes[format]}; charset=utf-8`)
          .header('content-disposition', `attachment; filename="products.${format}"`)
        const projectId = request.caller.project_id
        const onCursor = (cursor: string) => void reply.header('catalog-cursor', cursor)
        if (request.method === 'HEAD') {
          onCursor(formatCursor(await findFeedHead(database, projectId)))
          // A stream, like the file itself, so that the response has neither an ETag nor a length.
          return reply.send(Readable.from([]) as never)
        }
        const parts = (signal: AbortSignal) =>
          texts(exportProducts(database, projectId, filters, form, { views, signal, onCursor }))
        return reply.send((await streamParts(reply, parts)) as never)
      },
    )
  }
}

function formOf(format: ExportFormat, columns: string | undefined, views: ExportedViews): ExportForm {
  if (columns === undefined) return format
  const reject = (parameter: string, message: string) =>
    new Problem('invalid_parameters', { errors: [{ parameter, code: 'invalid_value', message }] })
  if (format !== 'csv') throw reject('columns', 'requires format=csv')
  if (views.chosen.length > 0)
    throw reject('views', 'cannot be combined with columns; name columns such as name@de')
  return parseColumns(columns, views.known)
}

async function* texts(parts: AsyncGenerator<ExportPart>): AsyncGenerator<string> {
  for await (const { text } of parts) yield text
}
