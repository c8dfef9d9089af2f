import { Type } from 'typebox'
import { AiProviderSchema } from '../../catalog/ai-providers/ai-provider.schema.ts'
import { closed } from '../../platform/http/closed.ts'

const { name, currency, models, state } = AiProviderSchema.properties

/** What editors, who cannot manage providers, choose from when they start a run. */
export const RunModelsSchema = Type.Object(
  { results: Type.Array(Type.Object({ name, currency, models, state }, closed)) },
  closed,
)
export type RunModels = Type.Static<typeof RunModelsSchema>
