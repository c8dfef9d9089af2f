import { Type } from 'typebox'
import { OneOf } from '../../http/openapi.ts'
import { PageOf, pageParameters } from '../../http/response/page-envelope.ts'

const closed = { additionalProperties: false }
const Timestamp = Type.String({ format: 'date-time' })
const Source = OneOf(['api', 'bulk', 'cli', 'console'], { description: 'Which way in' })
const Fields = { type: 'object', additionalProperties: true } as const

export const ProductChangeSchema = Type.Object(
  {
    version: Type.Integer({ description: 'The version that this change made' }),
    changed_at: Timestamp,
    actor: Type.String({ description: 'Name of the token, or who else' }),
    source: Source,
    before: Type.Unsafe<Record<string, unknown> | null>({
      ...Fields,
      type: ['object', 'null'],
      description: 'The changed fields as they were; null for the creation',
    }),
    after: Type.Unsafe<Record<string, unknown>>({
      ...Fields,
      description: 'The changed fields as they became',
    }),
  },
  { $id: 'ProductChange', ...closed },
)
export type ProductChange = Type.Static<typeof ProductChangeSchema>
export const ProductHistorySchema = PageOf(ProductChangeSchema, 'ProductHistory')

export const HistoryQuerySchema = Type.Object(pageParameters)
