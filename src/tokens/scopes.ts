export const scopes = ['products:read', 'products:write', 'prompts:read', 'prompts:write'] as const
export type Scope = (typeof scopes)[number]

/** Write includes read. */
export function grants(held: readonly Scope[], needed: Scope): boolean {
  return held.includes(needed) || held.includes(needed.replace(':read', ':write') as Scope)
}
