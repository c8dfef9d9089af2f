import { Type } from 'typebox'
import { viewCodePattern } from '../../model/fields/view-paths.ts'
import { viewLimits } from '../../model/limits/views.ts'
import { updatable } from '../../platform/http/body/read-only-fields.ts'
import { closed } from '../../platform/http/closed.ts'
import { plainName } from '../../platform/http/request/name.schema.ts'
import { PageOf, pageParameters } from '../../platform/http/response/page-envelope.ts'

const ViewCode = Type.String({ pattern: viewCodePattern })

const label = Type.String({
  minLength: 1,
  maxLength: viewLimits.labelCharacters,
  'x-normalised': true,
  ...plainName,
})
const locale = Type.Unsafe<string | null>({
  type: ['string', 'null'],
  pattern: '^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$',
  maxLength: 35,
  default: null,
  description: 'a BCP 47 language tag such as de-AT, or null',
})
const currency = { pattern: '^[A-Z]{3}$', description: 'an ISO 4217 code such as EUR' }
const fallbacks = Type.Array(ViewCode, {
  maxItems: viewLimits.chain - 1,
  uniqueItems: true,
  default: [],
  description: 'Codes of the views that this view falls back to, in order, before the base',
})
const requires = Type.Array(Type.String({ minLength: 1, maxLength: 300 }), {
  maxItems: viewLimits.requiredFields,
  uniqueItems: true,
  default: [],
  description:
    'Fields that the view reports as missing if they have no value, such as `name` or `attributes.color`. Configurable, grouped and bundle products need a `price` only if the base has one',
})

const example = {
  code: 'at',
  label: 'Austria',
  locale: 'de-AT',
  currency: 'EUR',
  falls_back_to: ['eu', 'de'],
  requires: ['name', 'price'],
  chain: ['at', 'eu', 'de', null],
  marked: null,
}

export const ViewSchema = Type.Object(
  {
    code: Type.String(),
    label: Type.String(),
    locale,
    currency: Type.String(currency),
    falls_back_to: fallbacks,
    requires,
    chain: Type.Array(Type.Unsafe<string | null>({ type: ['string', 'null'] }), {
      description: 'The views that values come from, in order; null is the base',
    }),
    marked: Type.Unsafe<{ done: number; total: number } | null>({
      type: ['object', 'null'],
      properties: { done: Type.Integer(), total: Type.Integer() },
      required: ['done', 'total'],
      ...closed,
      'x-measured': true,
      description: 'How many products the service has checked against the current definitions; null if all',
    }),
  },
  { $id: 'View', ...closed, examples: [example] },
)
export type View = Type.Static<typeof ViewSchema>

const InputSchema = Type.Object(
  {
    label,
    locale: Type.Optional(locale),
    currency: Type.Optional(
      Type.String({
        ...currency,
        description: `${currency.description}; by default, the currency of the project`,
      }),
    ),
    falls_back_to: Type.Optional(fallbacks),
    requires: Type.Optional(requires),
  },
  {
    $id: 'ViewPut',
    ...closed,
    examples: [{ label: 'Austria', locale: 'de-AT', falls_back_to: ['de'], requires: ['name', 'price'] }],
  },
)
export type ViewInput = Type.Static<typeof InputSchema>
export const ViewInputSchema = Type.Unsafe<ViewInput>(updatable(InputSchema, ViewSchema))

const Products = Type.Integer({ minimum: 0 })

export const ViewProgressSchema = Type.Object(
  {
    code: Type.String(),
    products: Type.Integer({ minimum: 0, description: 'All products of the project' }),
    complete: Type.Integer({ minimum: 0, description: 'Products with all required values' }),
    missing: Type.Array(Type.Object({ field: Type.String(), products: Products }, closed), {
      description: 'For each required field: products without a value',
    }),
    stale: Type.Integer({ minimum: 0, description: 'Products with a stale text of this view' }),
  },
  {
    $id: 'ViewProgress',
    ...closed,
    examples: [
      {
        ...{ code: 'de', products: 1200, complete: 950, stale: 12 },
        missing: [
          { field: 'name', products: 40 },
          { field: 'description', products: 230 },
        ],
      },
    ],
  },
)
export type ViewProgress = Type.Static<typeof ViewProgressSchema>

export const ViewQuerySchema = Type.Object(pageParameters)
export const ViewDeleteQuerySchema = Type.Object({
  erase: Type.Optional(
    Type.Boolean({ description: 'true: first remove the values that products have in the view' }),
  ),
})
export const ViewPageSchema = PageOf(ViewSchema, 'ViewPage')
