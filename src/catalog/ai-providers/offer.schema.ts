import { Type } from 'typebox'
import { closed } from '../../platform/http/closed.ts'
import { AiProviderPutSchema, AiProviderSchema, ProviderName } from './ai-provider.schema.ts'

const { kind, base_url, key, currency, models, concurrency, requests_per_minute } =
  AiProviderPutSchema.properties

/** What the operator sets for a provider that projects can use. */
export const OfferSchema = Type.Object(
  {
    ...{ name: ProviderName, kind, base_url, key, currency, models, concurrency, requests_per_minute },
    plans: Type.Array(Type.String(), { minItems: 1, uniqueItems: true }),
    project_cap: AiProviderSchema.properties.monthly_budget,
  },
  closed,
)
