import { type BodyError, Problem } from '../../platform/http/problems.ts'
import { checkBaseUrl } from '../../platform/outbound/check-address.ts'
import { type AiProviderPut, kindsWithKey } from './ai-provider.schema.ts'
import type { StoredProvider } from './ai-provider.sql.ts'

type Api = Pick<StoredProvider, 'kind' | 'base_url'>

export function requireBaseUrl(text: string, allow: readonly string[]): string {
  const checked = checkBaseUrl(text, allow)
  if ('url' in checked) return checked.url
  throw invalid({ pointer: '/base_url', code: 'invalid_address', message: checked.error })
}

export function rejectRepeatedModels({ models }: Pick<AiProviderPut, 'models'>): void {
  const names = models.map(({ name }) => name)
  const index = names.findIndex((name, place) => names.indexOf(name) !== place)
  if (index === -1) return
  throw invalid({
    pointer: `/models/${index}/name`,
    code: 'duplicate_name',
    message: 'must not repeat a model',
  })
}

/** The encrypted key that the provider gets: the one that was sent, or the stored one if none was sent. */
export function requireKey(
  before: (Api & Pick<StoredProvider, 'key'>) | undefined,
  next: Api,
  sent: string | null | undefined,
): string | null {
  const stored = before?.key ?? null
  // Otherwise a new address could collect the key.
  if (sent === undefined && stored !== null && before !== undefined && !isSameApi(before, next))
    throw keyRequired('is required, because the stored key belongs to another kind or origin')
  const key = sent === undefined ? stored : sent
  if (key === null && kindsWithKey.includes(next.kind))
    throw keyRequired('is required for a provider of this kind')
  return key
}

export function isSameApi(one: Api, other: Api): boolean {
  return one.kind === other.kind && new URL(one.base_url).origin === new URL(other.base_url).origin
}

function keyRequired(message: string): Problem {
  return invalid({ pointer: '/key', code: 'key_required', message })
}

function invalid(error: BodyError): Problem {
  return new Problem('invalid_body', { errors: [error] })
}
