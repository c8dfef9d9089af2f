/* What the addresses of the operator's lists hold, and the words for it. */

type Searched = { page?: number; search?: string }

/** The keys of words, in their order. */
export function keysOf<Key extends string>(words: Record<Key, string>): Key[] {
  return Object.keys(words) as Key[]
}

/** Choices of a select, the first of which is none. */
export function choicesOf(words: Record<string, string>, none: string): { value: string; label: string }[] {
  return [{ value: '', label: none }, ...Object.entries(words).map(([value, label]) => ({ value, label }))]
}

export const projectOrders = {
  '-created_at': 'Newest first',
  '-requests_30_days': 'Most requests first',
  '-products': 'Most products first',
} as const
export type ProjectsView = Searched & { ordering?: keyof typeof projectOrders }

export const userKinds = {
  operator: 'Operators',
  member: 'Members',
  invited: 'Invited, no password yet',
  disabled: 'Disabled',
} as const
export type UsersView = Searched & { kind?: keyof typeof userKinds }

export const auditNouns = {
  access_request: 'Access requests',
  job: 'Background jobs',
  project: 'Projects',
  token: 'Tokens',
  user: 'Users',
  webhook: 'Webhooks',
} as const
export type AuditView = Searched & { noun?: keyof typeof auditNouns; project?: number }

export type WebhooksView = { page?: number; state?: 'failing' | 'disabled' }

export type TokensView = Searched & { state?: 'valid' | 'ended' }
