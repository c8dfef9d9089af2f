import { Type } from 'typebox'
import { NameSchema } from '../http/request/name.schema.ts'
import { PageOf, pageParameters } from '../http/response/page-envelope.ts'

export const CategorySchema = Type.Object(
  {
    id: Type.Integer(),
    name: Type.String(),
    project: Type.Integer(),
    created_at: Type.String({ format: 'date-time' }),
    updated_at: Type.String({ format: 'date-time' }),
  },
  { $id: 'Category', additionalProperties: false },
)
export type Category = Type.Static<typeof CategorySchema>

/** The body of POST and PATCH. */
export const CategoryInputSchema = Type.Object(
  { name: NameSchema },
  { $id: 'CategoryInput', additionalProperties: false },
)

export const CategoryPageSchema = PageOf(CategorySchema, 'CategoryPage')
export const CategoryQuerySchema = Type.Object(pageParameters)
