import { Type } from 'typebox'
import { closed } from '../../platform/http/closed.ts'
import { OneOf } from '../../platform/http/openapi.ts'

const Count = (description: string) =>
  Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], { description })

const DayOfActivitySchema = Type.Object(
  {
    day: Type.String({ description: 'Date in UTC' }),
    created: Count('Products created on this day; null if the day is not counted'),
    changed: Count('Products last changed on this day and created before it; null if the day is not counted'),
  },
  closed,
)
export type DayOfActivity = Type.Static<typeof DayOfActivitySchema>

/** Recent changes to the products of a project. */
export const ActivitySchema = Type.Object(
  {
    days: Type.Array(DayOfActivitySchema, { description: 'The last 30, oldest first' }),
    most_counted: Type.Integer({
      description: 'Number of products that are counted, newest first; days before that are null',
    }),
  },
  closed,
)
export type Activity = Type.Static<typeof ActivitySchema>

const ActorActivitySchema = Type.Object(
  {
    actor: Type.String({ description: 'Email of a user, or name of a token' }),
    source: OneOf(['console', 'api']),
    name: Type.Union([Type.String(), Type.Null()], { description: 'Name of the user' }),
    actions: Type.Integer({ minimum: 1, description: 'Requests that changed something' }),
    last_at: Type.String({ format: 'date-time' }),
  },
  closed,
)
export type ActorActivity = Type.Static<typeof ActorActivitySchema>

/** Who changed something in the last 30 days, most active first. */
export const PeopleSchema = Type.Object({ results: Type.Array(ActorActivitySchema) }, closed)
