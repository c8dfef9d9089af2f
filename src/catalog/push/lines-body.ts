import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyRequest, FastifySchemaCompiler } from 'fastify'
import { type TSchema, Type } from 'typebox'
import { PushedProductSchema } from '../../model/product/product-input.schema.ts'
import { OneOf, ref } from '../../platform/http/openapi.ts'
import { Problem } from '../../platform/http/problems.ts'
import { compileValidator } from '../../platform/http/request/validation.ts'
import { pushModes } from '../batches/apply-lines.ts'

const mediaTypes = ['application/json', 'application/x-ndjson']

/** For all that takes such a body. */
export const modeParameter = {
  mode: Type.Optional(
    OneOf(pushModes, {
      default: 'upsert',
      description: 'create refuses a SKU that exists, update one that does not',
    }),
  ),
}

/** For all that takes such a body: lines of another project have ids and versions that are not those of this one. */
export const readOnlyParameter = {
  read_only: Type.Optional(
    OneOf(['compare', 'ignore'], {
      default: 'compare',
      description:
        'compare rejects a line whose read-only fields differ from the product, or that creates one with them; ignore drops them, for lines that come from another project',
    }),
  ),
}

/** The body of a push, as the document describes it. */
export const linesBody = {
  content: {
    'application/json': { schema: Type.Array(ref(PushedProductSchema), { maxItems: 10_000 }) },
    'application/x-ndjson': {
      schema: { ...ref(PushedProductSchema), description: 'One product a line; at most 10,000 lines' },
    },
  },
} as unknown as TSchema

/** Each line is checked by itself, as it is read. */
export const compileButBody: FastifySchemaCompiler<TSchema> = (part) =>
  part.httpPart === 'body' ? (body: unknown) => ({ value: body }) : compileValidator(part)

/** Leaves bodies to the handlers, which read them as they arrive. */
export function acceptLines(
  app: Pick<FastifyInstance, 'removeAllContentTypeParsers' | 'addContentTypeParser'>,
): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(mediaTypes, async (_request: FastifyRequest, payload: IncomingMessage) => payload)
  app.addContentTypeParser('*', async () => {
    throw new Problem('unsupported_media_type', { detail: `Send the body as ${mediaTypes.join(' or ')}.` })
  })
}
