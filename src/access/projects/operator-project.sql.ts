import type { Queryable } from '../../platform/database/database.ts'
import { type Sql, sql } from '../../platform/database/sql.ts'
import { matchesWords } from '../../platform/database/statements/matches-words.ts'
import { type Page, type PageRequest, selectPage } from '../../platform/database/statements/select-page.ts'
import type { OperatorProject } from './operator-project.schema.ts'
import { apiAccess, burst, requestsPerSecond, selfServiceTokens } from './project-access.sql.ts'

const columns = sql`project.id, project.name, project.plan, project.api_access, ${apiAccess} as has_api_access,
  case when project.rate_limit <> 'none'
       then json_build_object('requests_per_second', ${requestsPerSecond}, 'burst', ${burst}) end as rate_limit,
  project.rate_limit as rate_limit_override,
  project.self_service_tokens, ${selfServiceTokens} as has_self_service_tokens, project.self_service_scopes, project.media, project.currency, project.created_at,
  (select coalesce(sum(simple + configurable + virtual + bundle + grouped), 0)::bigint from product_counts
   where project_id = project.id and category_id = 0 and scale = 16) as products,
  (select count(*) from memberships where memberships.project_id = project.id) as members,
  (select count(*) from tokens where tokens.project_id = project.id and tokens.revoked_at is null
   and (tokens.expires_at is null or tokens.expires_at > now())) as active_tokens,
  (select coalesce(sum(requests), 0)::bigint from project_usage
   where project_id = project.id and day > (now() at time zone 'utc')::date - 30) as requests_30_days`
const from = sql`projects as project join plans as plan on plan.code = project.plan`

export type ProjectFilters = { search?: string; plan?: string; has_api_access?: boolean }

export function listOperatorProjects(
  database: Queryable,
  { search, plan, has_api_access }: ProjectFilters,
  orderBy: Sql,
  page: PageRequest,
): Promise<Page<OperatorProject>> {
  const where = sql`${matchesWords([sql`project.id`, sql`project.name`], search)}
    ${plan === undefined ? sql`` : sql`and project.plan = ${plan}`}
    ${has_api_access === undefined ? sql`` : sql`and ${apiAccess} = ${has_api_access}`}`
  return selectPage(database, { columns, from, where, orderBy, page })
}

export async function findOperatorProject(
  database: Queryable,
  id: number,
): Promise<OperatorProject | undefined> {
  const [row] = await database.query(sql<OperatorProject>`
    select ${columns} from ${from} where project.id = ${id}`)
  return row
}
