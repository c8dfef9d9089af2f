import { remove, write, writeLong } from '../network.ts'
import type { AiProvider, AiProviderPut, ProviderFindings } from '../wire.ts'
import { providersPath } from './queries.ts'

/** A test waits for others, and for the slowest of its calls. */
const testSeconds = 60

export const putProvider = (project: number, name: string, body: AiProviderPut) =>
  write<AiProvider>('PUT', providersPath(project, `/${encodeURIComponent(name)}`), body)
export const deleteProvider = (project: number, name: string) =>
  remove(providersPath(project, `/${encodeURIComponent(name)}`))
export const testProvider = (project: number, name: string) =>
  writeLong<ProviderFindings>(providersPath(project, `/${encodeURIComponent(name)}/test`), {}, testSeconds)

/** The settings as they are. Without a key, the stored one stays, and the provider is enabled. */
export function settingsOf(provider: AiProvider): AiProviderPut {
  const { kind, base_url, currency, models, concurrency, requests_per_minute, monthly_budget } = provider
  return {
    ...{ kind, base_url: base_url ?? '', currency, models, concurrency, requests_per_minute },
    monthly_budget,
  }
}
