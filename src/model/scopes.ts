export const scopes = [
  'products:read',
  'products:propose',
  'products:write',
  'prompts:read',
  'prompts:write',
  'events:read',
  'webhooks:manage',
] as const
export type Scope = (typeof scopes)[number]

/** What managers may give tokens of their own, unless the operator says otherwise: a webhook would outlive the token. */
export const selfServiceScopes = scopes.filter((scope) => scope !== 'webhooks:manage')

/** What a scope includes: write includes proposing, and both include reading; who manages webhooks reads events. */
const includedIn: Record<Scope, readonly Scope[]> = {
  'products:read': ['products:propose', 'products:write'],
  'products:propose': ['products:write'],
  'products:write': [],
  'prompts:read': ['prompts:write'],
  'prompts:write': [],
  'events:read': ['webhooks:manage'],
  'webhooks:manage': [],
}

export function grants(held: readonly Scope[], needed: Scope): boolean {
  return held.includes(needed) || includedIn[needed].some((scope) => held.includes(scope))
}

/** What is left of held scopes where only some are allowed: a scope that is not allowed becomes those that it includes and that are. */
export function allowedPart(held: readonly Scope[], allowed: readonly Scope[]): Scope[] {
  if (held.every((scope) => grants(allowed, scope))) return [...held]
  const common = scopes.filter((scope) => grants(held, scope) && grants(allowed, scope))
  return common.filter((scope) => !includedIn[scope].some((wider) => common.includes(wider)))
}
