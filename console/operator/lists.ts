/* The URL parameters of the lists in the admin area. */

type Searched = { page?: number; search?: string }

/** Options of a select. The first one selects nothing. */
export function choicesOf(labels: Record<string, string>, none: string): { value: string; label: string }[] {
  return [{ value: '', label: none }, ...Object.entries(labels).map(([value, label]) => ({ value, label }))]
}

export const projectOrders = ['-created_at', '-requests_30_days', '-products'] as const
export type ProjectOrder = (typeof projectOrders)[number]
export type ProjectsView = Searched & { ordering?: ProjectOrder }

export const userKinds = ['operator', 'member', 'invited', 'disabled'] as const
export type UserKind = (typeof userKinds)[number]
export type UsersView = Searched & { kind?: UserKind }

export const auditNouns = [
  'access_request',
  'ai_provider',
  'asset',
  'job',
  'member',
  'plan',
  'project',
  'run',
  'token',
  'user',
  'webhook',
] as const
export type AuditNoun = (typeof auditNouns)[number]
export type AuditView = Searched & { noun?: AuditNoun; project?: number }

export type WebhooksView = { page?: number; state?: 'failing' | 'disabled' }

export type TokensView = Searched & { state?: 'valid' | 'ended' }
