import { Type } from 'typebox'
import { currencyPattern } from '../../access/projects/project.schema.ts'
import { Timestamp } from '../../model/product/product.schema.ts'
import { updatable } from '../../platform/http/body/read-only-fields.ts'
import { closed } from '../../platform/http/closed.ts'
import { OneOf } from '../../platform/http/openapi.ts'
import { PageOf, pageParameters } from '../../platform/http/response/page-envelope.ts'
import { providerLimits } from '../limits.ts'

const providerKinds = ['openai-compatible', 'anthropic', 'google'] as const
export type ProviderKind = (typeof providerKinds)[number]
/** Kinds whose service requires a key. */
export const kindsWithKey: readonly ProviderKind[] = ['anthropic', 'google']

const providerName = '^[a-z0-9][a-z0-9._-]{0,63}$'
export const ProviderName = Type.String({
  pattern: providerName,
  description:
    'a name such as openai: lowercase letters, digits, dots, underscores and dashes, at most 64 characters',
})
export const AiProviderName = Type.Object({ name: ProviderName })
export const AiProviderQuerySchema = Type.Object(pageParameters)

const money = { minimum: 0, 'x-max-decimals': 6 }
const Price = (what: string) =>
  Type.Number({
    ...money,
    maximum: providerLimits.price,
    description: `Price of 1,000,000 ${what} tokens, with at most 6 decimals`,
  })

const ProviderModelSchema = Type.Object(
  {
    name: Type.String({
      minLength: 1,
      maxLength: providerLimits.modelNameCharacters,
      pattern: '^[\\x21-\\x7e]+$',
      description: 'the name of the model at the provider, without spaces',
    }),
    input_price: Price('input'),
    output_price: Price('output'),
    max_output_tokens: Type.Integer({
      minimum: 1,
      maximum: providerLimits.outputTokens,
      description: 'Output tokens after which the model stops',
    }),
  },
  closed,
)
export type ProviderModel = Type.Static<typeof ProviderModelSchema>

const settings = {
  kind: OneOf(providerKinds, { description: 'API of the provider' }),
  currency: Type.String({
    pattern: currencyPattern.source,
    description: 'an ISO 4217 code such as EUR: the currency of prices and budgets',
  }),
  models: Type.Array(ProviderModelSchema, { minItems: 1, maxItems: providerLimits.models }),
  concurrency: Type.Integer({
    minimum: 1,
    maximum: providerLimits.concurrency,
    description: 'Maximum number of concurrent calls',
  }),
  requests_per_minute: Type.Unsafe<number | null>({
    type: ['integer', 'null'],
    minimum: 1,
    maximum: providerLimits.requestsPerMinute,
    description: 'Maximum number of calls per minute; null means no limit',
  }),
  monthly_budget: Type.Unsafe<number | null>({
    type: ['number', 'null'],
    ...money,
    maximum: providerLimits.budget,
    description:
      'The most that the project can spend per month (UTC) in this currency, with any provider; null means no limit',
  }),
}

const modelExample = { name: 'small-model', input_price: 0.15, output_price: 0.6, max_output_tokens: 4096 }
const providerExample = {
  name: 'models',
  kind: 'openai-compatible',
  base_url: 'https://models.example/v1',
  has_key: true,
  currency: 'EUR',
  models: [modelExample],
  concurrency: providerLimits.concurrencyByDefault,
  requests_per_minute: null,
  monthly_budget: 50,
  state: 'enabled',
  disabled_reason: null,
  findings: null,
  offered: false,
  created_at: '2026-01-31T08:15:30.500Z',
  updated_at: '2026-01-31T08:15:30.500Z',
}

const abilities = {
  json_schema: Type.Boolean({ description: 'Whether responses follow a JSON schema' }),
  json_object: Type.Boolean({ description: 'Whether responses can be limited to JSON objects' }),
  plain: Type.Boolean({ description: 'Whether responses are JSON if only the prompt requests it' }),
  usage: Type.Boolean({ description: 'Whether responses report the number of tokens' }),
}
const abilityExample = { json_schema: true, json_object: true, plain: true, usage: true }
const ModelFindingsSchema = Type.Object({ name: Type.String(), ...abilities }, closed)
export type ModelFindings = Type.Static<typeof ModelFindingsSchema>

export const ProviderFindingsSchema = Type.Object(
  {
    reachable: Type.Boolean({ description: 'Whether the provider responded' }),
    ...abilities,
    models: Type.Array(ModelFindingsSchema, {
      description: 'Findings per model that responded. The provider has the findings that all of them share',
    }),
  },
  {
    $id: 'AiProviderFindings',
    ...closed,
    examples: [{ reachable: true, ...abilityExample, models: [{ name: 'small-model', ...abilityExample }] }],
  },
)
export type ProviderFindings = Type.Static<typeof ProviderFindingsSchema>

export const providerStates = ['enabled', 'disabled'] as const
const disabledReasons = ['restored', 'key_unreadable'] as const

export const AiProviderSchema = Type.Object(
  {
    name: Type.String(),
    base_url: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'Base URL of the API; null if the operator offers the provider',
    }),
    has_key: Type.Boolean({ description: 'Whether a key is stored. No response contains the key' }),
    ...settings,
    state: OneOf(providerStates, { description: '`disabled`: runs make no calls' }),
    disabled_reason: Type.Unsafe<(typeof disabledReasons)[number] | null>({
      type: ['string', 'null'],
      enum: [...disabledReasons, null],
      description:
        '`restored`: the database is a copy, so send PUT to enable the provider. `key_unreadable`: send the key again',
    }),
    findings: Type.Unsafe<ProviderFindings | null>({
      ...ProviderFindingsSchema,
      type: ['object', 'null'],
      $id: undefined,
      examples: undefined,
      description: 'Result of the last test; null before the first test',
    }),
    offered: Type.Boolean({ description: 'true: the operator offers the provider to your plan' }),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { $id: 'AiProvider', ...closed, examples: [providerExample] },
)
export type AiProvider = Type.Static<typeof AiProviderSchema>
export const AiProviderPageSchema = PageOf(AiProviderSchema, 'AiProviderPage')

const writtenExample = {
  kind: 'openai-compatible',
  base_url: 'https://models.example/v1',
  key: 'sk-proj-7Qm2',
  currency: 'EUR',
  models: [modelExample],
  monthly_budget: 50,
}

export const AiProviderPutSchema = updatable(
  Type.Object(
    {
      ...settings,
      base_url: Type.String({
        minLength: 1,
        maxLength: providerLimits.urlCharacters,
        description: 'https base URL of the API, or one whose origin the operator allows',
      }),
      key: Type.Optional(
        Type.Unsafe<string | null>({
          type: ['string', 'null'],
          minLength: 1,
          maxLength: providerLimits.keyCharacters,
          pattern: '^[\\x21-\\x7e]+$',
          writeOnly: true,
          description:
            'a key without spaces. Omit it to keep the stored key, which works only for the same kind and origin; null removes it',
        }),
      ),
      concurrency: Type.Optional({ ...settings.concurrency, default: providerLimits.concurrencyByDefault }),
      requests_per_minute: Type.Optional({ ...settings.requests_per_minute, default: null }),
      monthly_budget: Type.Optional({ ...settings.monthly_budget, default: null }),
    },
    { $id: 'AiProviderPut', ...closed, examples: [writtenExample] },
  ),
  AiProviderSchema,
)
export type AiProviderPut = Type.Static<typeof AiProviderPutSchema>
