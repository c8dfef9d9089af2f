import { Type } from 'typebox'
import { closed } from '../../platform/http/closed.ts'
import { OneOf } from '../../platform/http/openapi.ts'
import { EnvelopeOf, pageParameters } from '../../platform/http/response/page-envelope.ts'
import { notificationLimits } from '../limits.ts'
import { NamedProjectSchema } from '../named-project.schema.ts'

/** What users are notified about. Only managers get the last three. */
const notificationKinds = [
  'access_decided',
  'import_finished',
  'proposal_decided',
  'second_factor_reset',
  'run_waiting',
  'run_finished',
  'proposal_waiting',
  'webhook_failing',
  'job_failed',
] as const
export type NotificationKind = (typeof notificationKinds)[number]
export const managerKinds = ['proposal_waiting', 'webhook_failing', 'job_failed'] as const

const TextOrNull = (description: string) => Type.Union([Type.String(), Type.Null()], { description })

const NotificationSchema = Type.Object(
  {
    id: Type.Integer({ description: 'changes with each event that the notification includes' }),
    kind: OneOf(notificationKinds),
    project: Type.Union([NamedProjectSchema, Type.Null()], { description: 'null: about the account' }),
    object_id: Type.Union([Type.Integer(), Type.Null()], {
      description: 'proposal, run, webhook or request',
    }),
    title: Type.String({ description: 'what it is about, such as the title of a proposal' }),
    state: TextOrNull('what became of the object, such as applied'),
    actor: TextOrNull('who caused it; null for the service'),
    events: Type.Integer({ minimum: 1, description: 'number since the user last read the notification' }),
    created_at: Type.String({ format: 'date-time', description: 'time of the last event' }),
    read_at: Type.Unsafe<string | null>({ type: ['string', 'null'], format: 'date-time' }),
  },
  closed,
)
export type Notification = Type.Static<typeof NotificationSchema>
export const NotificationPageSchema = EnvelopeOf(NotificationSchema)

export const NotificationQuerySchema = Type.Object({
  unread: Type.Optional(
    Type.Boolean({ description: 'only notifications that are unread, or that are read' }),
  ),
  ...pageParameters,
})

const Id = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })

/** A notification that is newer than what a page has shown stays unread. */
export const ReadNotificationsSchema = Type.Object(
  {
    ids: Type.Optional(Type.Array(Id, { maxItems: notificationLimits.readIds })),
    up_to: Type.Optional(Type.Integer({ ...Id, description: 'all notifications up to this ID' })),
  },
  closed,
)
export type ReadNotifications = Type.Static<typeof ReadNotificationsSchema>
