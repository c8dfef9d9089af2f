import { Readable } from 'node:stream'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import type { Database } from '../database/database.ts'
import { untagged } from '../http/answer-headers.ts'
import { OneOf } from '../http/openapi.ts'
import { Problem } from '../http/problems.ts'
import { type ExportPart, exportFormats, exportProducts } from './export-products.ts'
import { type ProductQuery, ProductQuerySchema } from './product.schema.ts'

const {
  page: _page,
  page_size: _size,
  expand: _expand,
  ordering: _ordering,
  ...filters
} = ProductQuerySchema.properties

const ExportQuerySchema = Type.Object({
  format: Type.Optional(OneOf(exportFormats, { default: 'ndjson' })),
  ...filters,
})

const mediaTypes = { ndjson: 'application/x-ndjson', csv: 'text/csv' } as const
const File = Type.String({ description: 'One product a line, as POST /products/bulk takes them' })

// Each holds a connection for as long as its reader takes; slow readers of one project must not keep others out.
const mostAtOnce = 4
const mostPerProject = 2
/** The project of each that is under way, under whatever prefix it was asked for. */
const running: number[] = []
const retryAfterSeconds = '5'

export function productExportRoutes(database: Database): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/products/export',
      {
        config: { scope: 'products:read', keepsPace: true },
        schema: {
          tags: ['Products'],
          operationId: 'exportProducts',
          summary: 'All products that match the filters, as a file',
          description:
            'All products that match the filters of the list, of one moment and in the order of their ids, as NDJSON or CSV in the form that a push takes. The answer is sent as it is read and may be of any size.',
          querystring: ExportQuerySchema,
          response: {
            200: untagged(
              {
                description: 'The products of one moment, in the order of their ids',
                content: { 'application/x-ndjson': { schema: File }, 'text/csv': { schema: File } },
              },
              {
                'Content-Disposition': { type: 'string', required: true, description: 'A name for the file' },
              },
            ),
          },
        },
      },
      async (request, reply) => {
        const { format = 'ndjson', ...query } = request.query as ProductQuery & { format?: 'ndjson' | 'csv' }
        reply
          .type(`${mediaTypes[format]}; charset=utf-8`)
          .header('content-disposition', `attachment; filename="products.${format}"`)
        if (request.method === 'HEAD') return reply.send('')
        const projectId = request.caller.project_id
        if (running.length >= mostAtOnce) throw tooMany(mostAtOnce)
        if (running.filter((one) => one === projectId).length >= mostPerProject)
          throw tooMany(mostPerProject, ' of this project')
        running.push(projectId)
        const end = () => running.splice(running.indexOf(projectId), 1)
        const parts = exportProducts(database, projectId, query, format)
        // The first part before the first byte: an error is still an answer then.
        const first = await parts.next().catch((error) => {
          end()
          throw error
        })
        const stream = Readable.from(texts(first, parts), { objectMode: false, highWaterMark: 64 * 1024 })
        stream.once('close', end)
        return reply.send(stream as never)
      },
    )
  }
}

async function* texts(
  first: IteratorResult<ExportPart>,
  parts: AsyncGenerator<ExportPart>,
): AsyncGenerator<Buffer> {
  try {
    for (let part = first; part.done !== true; part = await parts.next()) yield Buffer.from(part.value.text)
  } finally {
    await parts.return(undefined)
  }
}

function tooMany(most: number, whose = ''): Problem {
  return new Problem('rate_limited', {
    detail: `${most} exports${whose} are under way already; try again when one has ended.`,
    headers: { 'retry-after': retryAfterSeconds },
  })
}
