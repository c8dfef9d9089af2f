import { Type } from 'typebox'
import { closed } from '../../platform/http/closed.ts'

const Count = (description: string) =>
  Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], { description })

const DayOfActivitySchema = Type.Object(
  {
    day: Type.String({ description: 'Of UTC' }),
    created: Count('Products that were created on the day; null where it is not counted'),
    changed: Count('Products that were changed last on the day, and created before it'),
  },
  closed,
)
export type DayOfActivity = Type.Static<typeof DayOfActivitySchema>

/** What was done to the products of a project lately. */
export const ActivitySchema = Type.Object(
  {
    days: Type.Array(DayOfActivitySchema, { description: 'The last 30, oldest first' }),
    most_counted: Type.Integer({
      description: 'As far back as that many products were written every day is counted; older days are null',
    }),
  },
  closed,
)
export type Activity = Type.Static<typeof ActivitySchema>
