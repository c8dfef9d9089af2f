import { type TSchema, Type } from 'typebox'
import { closed } from '../../platform/http/closed.ts'
import { fieldSchemas } from '../fields/field-schemas.ts'
import { commonFields, viewCodePattern, viewFields } from '../fields/view-paths.ts'
import { viewLimits } from '../limits/views.ts'
import type { ViewsPatch, ViewValues } from './view-values.ts'

type Readable = TSchema & { type?: string | string[]; enum?: unknown[]; minLength?: number }

/** Null or an empty string makes the field fall back. */
function orNull(schema: TSchema): TSchema {
  const { minLength: _minLength, ...own } = schema as Readable
  const { type = [], enum: choices } = own
  const types = [type].flat()
  return Type.Unsafe({
    ...own,
    type: types.includes('null') ? types : [...types, 'null'],
    ...(choices !== undefined && { enum: [...choices, null] }),
  })
}

const written = Object.fromEntries(
  viewFields.map((name) => {
    const { patch, input } = fieldSchemas[name]
    return [name, Type.Optional(orNull(patch ?? input))]
  }),
)

const ViewValuesInput = Type.Object(written, {
  ...closed,
  type: ['object', 'null'],
  'x-rejected': { names: commonFields, code: 'not_in_views', message: 'is the same in every view' },
})

/** The views of a product in a body. */
export const ViewsInputSchema = Type.Unsafe<ViewsPatch>({
  type: 'object',
  maxProperties: viewLimits.views,
  propertyNames: { type: 'string', pattern: viewCodePattern },
  additionalProperties: ViewValuesInput,
  description:
    'Values that differ in a view, by view code. Null or an empty string makes a field fall back. Null instead of an object makes all fields of the view fall back',
})

const shown = Object.fromEntries(viewFields.map((name) => [name, Type.Optional(fieldSchemas[name].output)]))

export const ViewsSchema = Type.Unsafe<Record<string, Omit<ViewValues, 'sources'>>>({
  type: 'object',
  additionalProperties: Type.Object(shown, closed),
  description: 'The values that differ in a view, by view code. Only with `expand=views`',
})

/** How a view shows a product. */
export const ShownViewSchema = Type.Object(
  {
    code: Type.String(),
    from: Type.Record(Type.String(), Type.String(), {
      description:
        'The view that each value comes from, by field, such as `name` or `attributes.color`. Values from the base are left out',
    }),
    missing: Type.Array(Type.String(), { description: 'Required fields without a value' }),
    stale: Type.Array(Type.String(), {
      description: 'Text fields whose source has changed since they were written',
    }),
  },
  {
    $id: 'ShownView',
    ...closed,
    examples: [{ code: 'at', from: { name: 'de', price: 'at' }, missing: [], stale: [] }],
  },
)
export type ShownView = Type.Static<typeof ShownViewSchema>
