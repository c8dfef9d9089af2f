import { readFileSync, statSync } from 'node:fs'
import { Type } from 'typebox'
import { checkInput } from '../../platform/http/body/check-input.ts'
import { closed } from '../../platform/http/closed.ts'
import { OneOf } from '../../platform/http/openapi.ts'
import { accountLimits, secondFactorLimits } from '../limits.ts'
import { type MemberRole, memberRoles } from '../roles.ts'

const ProjectsSchema = Type.Array(
  Type.Object(
    { id: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }), role: OneOf(memberRoles) },
    closed,
  ),
  { maxItems: accountLimits.memberships },
)
const GroupSchema = Type.Object(
  { operator: Type.Optional(Type.Boolean()), projects: Type.Optional(ProjectsSchema) },
  closed,
)
const GroupMapSchema = Type.Object({ groups: Type.Record(Type.String(), GroupSchema) }, closed)

/** What each group of the provider can access. */
export type GroupMap = Type.Static<typeof GroupMapSchema>

export type GroupAccess = { operator: boolean; memberships: { project_id: number; role: MemberRole }[] }

/** Reads and checks the file. `setting` names it in errors. */
export function readGroupMap(setting: string, path: string): GroupMap {
  try {
    if (statSync(path).size > secondFactorLimits.groupsFileBytes) throw new Error('it is too large')
    return checkInput(GroupMapSchema, JSON.parse(readFileSync(path, 'utf8')))
  } catch (error) {
    throw new Error(`${setting}: the file ${path} is not a valid group map: ${(error as Error).message}`)
  }
}

/** Whether groups decide who is an operator. Otherwise, operators decide. */
export function grantsOperators({ groups }: GroupMap): boolean {
  return Object.values(groups).some(({ operator }) => operator === true)
}

/** The highest role of all groups, per project; undefined if no group grants anything. */
export function accessOf({ groups }: GroupMap, names: readonly string[]): GroupAccess | undefined {
  const granted = names.flatMap((name) => (Object.hasOwn(groups, name) ? (groups[name] ?? []) : []))
  const operator = granted.some((group) => group.operator === true)
  const roles = new Map<number, MemberRole>()
  for (const { id, role } of granted.flatMap(({ projects = [] }) => projects))
    if (rankOf(role) > rankOf(roles.get(id))) roles.set(id, role)
  if (!operator && roles.size === 0) return undefined
  return { operator, memberships: [...roles].map(([project_id, role]) => ({ project_id, role })) }
}

function rankOf(role: MemberRole | undefined): number {
  return role === undefined ? -1 : memberRoles.indexOf(role)
}
