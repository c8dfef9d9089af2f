import { Type } from 'typebox'
import { savedViewLimits } from '../../model/limits/saved-views.ts'
import { closed } from '../../platform/http/closed.ts'
import { plainName } from '../../platform/http/request/name.schema.ts'

const Time = Type.String({ format: 'date-time' })

const Name = Type.String({
  ...plainName,
  minLength: 1,
  maxLength: savedViewLimits.nameCharacters,
  'x-normalised': true,
})
const Query = Type.String({
  maxLength: savedViewLimits.queryCharacters,
  description: 'the query string of the product list: its filters, ordering, page_size and columns',
})

/** A saved view of the product list. */
export const SavedViewSchema = Type.Object(
  {
    id: Type.Integer(),
    name: Type.String(),
    query: Type.String(),
    shared: Type.Boolean({ description: 'whether all members of the project see it' }),
    owner: Type.String({ description: 'email of the user who saved it' }),
    can_change: Type.Boolean({
      description: 'whether the user can change it: the owner, and managers if it is shared',
    }),
    created_at: Time,
    updated_at: Time,
  },
  closed,
)
export type SavedView = Type.Static<typeof SavedViewSchema>

/** The user's own views and shared ones; there are never more than one page. */
export const SavedViewsSchema = Type.Object({ results: Type.Array(SavedViewSchema) }, closed)

export const NewSavedViewSchema = Type.Object(
  { name: Name, query: Query, shared: Type.Optional(Type.Boolean()) },
  closed,
)
export type NewSavedView = Type.Static<typeof NewSavedViewSchema>

export const SavedViewChangesSchema = Type.Partial(NewSavedViewSchema, closed)
export type SavedViewChanges = Type.Static<typeof SavedViewChangesSchema>
