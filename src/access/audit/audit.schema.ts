import { Type } from 'typebox'
import { closed } from '../../platform/http/closed.ts'
import { EnvelopeOf } from '../../platform/http/response/page-envelope.ts'
import { NamedProjectSchema } from '../named-project.schema.ts'

const AuditEntrySchema = Type.Object(
  {
    id: Type.Integer(),
    at: Type.String({ format: 'date-time' }),
    actor: Type.String(),
    action: Type.String({ description: 'noun.verb, such as token.revoke' }),
    project: Type.Union([NamedProjectSchema, Type.Null()]),
    target: Type.String(),
    details: Type.Record(Type.String(), Type.Unknown()),
  },
  closed,
)
export type AuditEntry = Type.Static<typeof AuditEntrySchema>

export const AuditPageSchema = EnvelopeOf(AuditEntrySchema)
