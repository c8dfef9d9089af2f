import { Type } from 'typebox'
import { type Provenance, ProvenanceSchema } from '../../../model/provenance/provenance.schema.ts'
import { closed } from '../../../platform/http/closed.ts'
import { OneOf, ref } from '../../../platform/http/openapi.ts'
import { PageOf, pageParameters } from '../../../platform/http/response/page-envelope.ts'
import { productChanges } from './product-history.examples.ts'

const Timestamp = Type.String({ format: 'date-time' })
const Source = OneOf(['api', 'bulk', 'cli', 'console'], { description: 'How the change was made' })
const Fields = { type: 'object', additionalProperties: true } as const

const OptionalInteger = (description: string) =>
  Type.Unsafe<number | null>({ type: ['integer', 'null'], description })

const ProductChangeSchema = Type.Object(
  {
    version: Type.Integer({ description: 'Version that the change created' }),
    changed_at: Timestamp,
    actor: Type.String({ description: 'Name of the token, email of the user, or name of the command' }),
    source: Source,
    before: Type.Unsafe<Record<string, unknown> | null>({
      ...Fields,
      type: ['object', 'null'],
      description: 'Changed fields before the change; null for the creation',
    }),
    after: Type.Unsafe<Record<string, unknown>>({
      ...Fields,
      description: 'Changed fields after the change',
    }),
    provenance: Type.Unsafe<Provenance>({
      ...ref(ProvenanceSchema),
      description: 'Changed fields that a prompt wrote, such as `description` or `attributes.color`',
    }),
    proposal: OptionalInteger('Proposal that the change belongs to'),
    score_before: OptionalInteger(
      'Quality score before the change; null for the creation and for changes that are older than this field',
    ),
    score_after: OptionalInteger(
      'Quality score after the change; null for changes that are older than this field',
    ),
  },
  { $id: 'ProductChange', ...closed },
)
export type ProductChange = Type.Static<typeof ProductChangeSchema>
export const ProductHistorySchema = PageOf(ProductChangeSchema, 'ProductHistory', ...productChanges)

export const HistoryQuerySchema = Type.Object(pageParameters)
