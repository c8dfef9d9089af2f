import { type TSchema, Type } from 'typebox'
import { OneOf, ref } from '../../platform/http/openapi.ts'
import { PushedProductSchema } from './product-input.schema.ts'

export const pushModes = ['upsert', 'create', 'update'] as const
export type PushMode = (typeof pushModes)[number]

/** Parameters of all routes with a push body. Lines from another project have that project's IDs and versions. */
export const pushParameters = {
  mode: Type.Optional(
    OneOf(pushModes, {
      default: 'upsert',
      description: 'create: reject a SKU that exists; update: reject a SKU that does not exist',
    }),
  ),
  read_only: Type.Optional(
    OneOf(['compare', 'ignore'], {
      default: 'compare',
      description:
        'compare: reject a line whose read-only fields differ from the product, or that creates a product with such fields; ignore: drop these fields, for lines from another project',
    }),
  ),
}

/** The body of a push in the OpenAPI document. */
export const pushBody = {
  content: {
    'application/json': { schema: Type.Array(ref(PushedProductSchema), { maxItems: 10_000 }) },
    'application/x-ndjson': {
      schema: { ...ref(PushedProductSchema), description: 'One product per line; at most 10,000 lines' },
    },
  },
} as unknown as TSchema
