import { Type } from 'typebox'
import { closed } from '../../platform/http/closed.ts'

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
