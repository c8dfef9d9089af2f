import { Type } from 'typebox'
import { type Provenance, ProvenanceSchema } from '../../../model/provenance/provenance.schema.ts'
import { closed } from '../../../platform/http/closed.ts'
import { OneOf, ref } from '../../../platform/http/openapi.ts'
import { PageOf, pageParameters } from '../../../platform/http/response/page-envelope.ts'
import { productChanges } from './product-history.examples.ts'

const Timestamp = Type.String({ format: 'date-time' })
const Source = OneOf(['api', 'bulk', 'cli', 'console'], { description: 'Which way in' })
const Fields = { type: 'object', additionalProperties: true } as const

const OptionalInteger = (description: string) =>
  Type.Unsafe<number | null>({ type: ['integer', 'null'], description })

const ProductChangeSchema = Type.Object(
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
    provenance: Type.Unsafe<Provenance>({
      ...ref(ProvenanceSchema),
      description:
        'Those of the changed fields that a prompt wrote, such as `description` or `attributes.color`',
    }),
    proposal: OptionalInteger('The proposal that the change came from'),
    score_before: OptionalInteger(
      'Quality score before the change; null for the creation, and in what is older',
    ),
    score_after: OptionalInteger('Quality score after the change; null in what is older'),
  },
  { $id: 'ProductChange', ...closed },
)
export type ProductChange = Type.Static<typeof ProductChangeSchema>
export const ProductHistorySchema = PageOf(ProductChangeSchema, 'ProductHistory', ...productChanges)

export const HistoryQuerySchema = Type.Object(pageParameters)
