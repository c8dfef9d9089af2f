import { type Scope, scopes } from '../model/scopes.ts'

/** The roles of project members. Operators have all rights in all projects. */
export const memberRoles = ['viewer', 'editor', 'manager'] as const
export type MemberRole = (typeof memberRoles)[number]
export type Role = MemberRole | 'operator'

const scopesByRole: Record<Role, readonly Scope[]> = {
  viewer: ['products:read', 'prompts:read', 'events:read'],
  editor: [
    'products:read',
    'products:propose',
    'products:write',
    'prompts:read',
    'prompts:write',
    'events:read',
    'ai:run',
  ],
  manager: scopes,
  operator: scopes,
}

export function scopesOf(role: Role): Scope[] {
  return [...scopesByRole[role]]
}

export function isManager(role: Role | undefined): boolean {
  return role === 'manager' || role === 'operator'
}
