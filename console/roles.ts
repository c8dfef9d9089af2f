import type { SessionProject } from './wire.ts'

type Member = Pick<SessionProject, 'role'>

/** Editors write; what nobody may do is not offered, and the service refuses it anyway. */
export function mayWrite({ role }: Member): boolean {
  return role !== 'viewer'
}

/** Managers define attributes and rules, and keep tokens. */
export function mayManage({ role }: Member): boolean {
  return role === 'manager' || role === 'operator'
}
