import { type TSchema, Type } from 'typebox'
import { OneOf, ref } from '../../platform/http/openapi.ts'
import { PushedProductSchema } from './product-input.schema.ts'

export const pushModes = ['upsert', 'create', 'update'] as const
export type PushMode = (typeof pushModes)[number]

/** For all that takes such a body: lines of another project have ids and versions that are not those of this one. */
export const pushParameters = {
  mode: Type.Optional(
    OneOf(pushModes, {
      default: 'upsert',
      description: 'create refuses a SKU that exists, update one that does not',
    }),
  ),
  read_only: Type.Optional(
    OneOf(['compare', 'ignore'], {
      default: 'compare',
      description:
        'compare rejects a line whose read-only fields differ from the product, or that creates one with them; ignore drops them, for lines that come from another project',
    }),
  ),
}

/** The body of a push, as the document describes it. */
export const pushBody = {
  content: {
    'application/json': { schema: Type.Array(ref(PushedProductSchema), { maxItems: 10_000 }) },
    'application/x-ndjson': {
      schema: { ...ref(PushedProductSchema), description: 'One product a line; at most 10,000 lines' },
    },
  },
} as unknown as TSchema
