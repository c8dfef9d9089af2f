import { apiAccess } from '../../../access/projects/project-access.sql.ts'
import { scopesOf } from '../../../access/roles.ts'
import { grants, type Scope } from '../../../model/scopes.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import { sql } from '../../../platform/database/sql.ts'
import type { RunRow } from '../run.sql.ts'
import type { RunReason } from '../run-states.ts'

/** Why the token or user that started a run can no longer spend money; undefined if it can. */
export async function findLostAccess(
  database: Queryable,
  projectId: number,
  { token_id, source, actor }: Pick<RunRow, 'token_id' | 'source' | 'actor'>,
): Promise<RunReason | undefined> {
  // Operators start runs on the command line.
  if (source === 'cli') return undefined
  if (token_id !== null) return lostByToken(database, projectId, token_id)
  const [user] = await database.query(sql<{
    role: 'viewer' | 'editor' | 'manager' | null
    operator: boolean
  }>`
    select member.role, users.operator from users
    left join memberships as member on member.user_id = users.id and member.project_id = ${projectId}
    where users.email = ${actor} and users.disabled_at is null`)
  const role = user?.operator === true ? 'operator' : user?.role
  return role != null && grants(scopesOf(role), 'ai:run') ? undefined : 'access_lost'
}

async function lostByToken(
  database: Queryable,
  projectId: number,
  tokenId: number,
): Promise<RunReason | undefined> {
  const [token] = await database.query(sql<{ scopes: Scope[]; valid: boolean; api_access: boolean }>`
    select token.scopes, ${apiAccess} as api_access,
      token.revoked_at is null and (token.expires_at is null or token.expires_at > clock_timestamp()) as valid
    from tokens as token join projects as project on project.id = token.project_id join plans as plan on plan.code = project.plan
    where token.id = ${tokenId} and token.project_id = ${projectId}`)
  if (token?.valid !== true) return 'token_revoked'
  return token.api_access && grants(token.scopes, 'ai:run') ? undefined : 'access_lost'
}
