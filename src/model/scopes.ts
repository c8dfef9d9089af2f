export const scopes = [
  'products:read',
  'products:propose',
  'products:write',
  'prompts:read',
  'prompts:write',
  'events:read',
  'webhooks:manage',
  'ai:run',
  'ai:manage',
] as const
export type Scope = (typeof scopes)[number]

/** Scopes of a token that is created without any. Not AI, because runs cost money. */
export const defaultScopes = scopes.filter((scope) => !scope.startsWith('ai:'))

/** Scopes that managers can give their own tokens by default. Not webhooks, because a webhook outlives its token. */
export const selfServiceScopes = defaultScopes.filter((scope) => scope !== 'webhooks:manage')

/** All wider scopes that include each scope, directly or through others. */
const includedIn: Record<Scope, readonly Scope[]> = {
  'products:read': ['products:propose', 'products:write', 'ai:run', 'ai:manage'],
  'products:propose': ['products:write', 'ai:run', 'ai:manage'],
  'products:write': [],
  'prompts:read': ['prompts:write'],
  'prompts:write': [],
  'events:read': ['webhooks:manage'],
  'webhooks:manage': [],
  'ai:run': ['ai:manage'],
  'ai:manage': [],
}

export function grants(held: readonly Scope[], needed: Scope): boolean {
  return held.includes(needed) || includedIn[needed].some((scope) => held.includes(scope))
}

/** Reduces scopes to the allowed ones. A scope that is not allowed becomes the allowed scopes that it includes. */
export function allowedPart(held: readonly Scope[], allowed: readonly Scope[]): Scope[] {
  if (held.every((scope) => grants(allowed, scope))) return [...held]
  const common = scopes.filter((scope) => grants(held, scope) && grants(allowed, scope))
  return common.filter((scope) => !includedIn[scope].some((wider) => common.includes(wider)))
}
