import type { Queryable } from '../database/database.ts'
import { type Page, type PageRequest, selectPage } from '../database/select-page.ts'
import { sql } from '../database/sql.ts'
import type { OperatorProject } from './operator-project.schema.ts'
import { apiAccess, burst, requestsPerSecond, selfServiceTokens } from './project-access.sql.ts'

const columns = sql`project.id, project.name, project.plan, project.api_access, ${apiAccess} as has_api_access,
  case when project.rate_limit <> 'none'
       then json_build_object('requests_per_second', ${requestsPerSecond}, 'burst', ${burst}) end as rate_limit,
  project.rate_limit as rate_limit_override,
  project.self_service_tokens, ${selfServiceTokens} as has_self_service_tokens, project.self_service_scopes, project.currency, project.created_at,
  (select coalesce(sum(simple + configurable + virtual + bundle + grouped), 0)::bigint from product_counts
   where project_id = project.id and category_id = 0 and scale = 16) as products,
  (select coalesce(sum(requests), 0)::bigint from project_usage
   where project_id = project.id and day > (now() at time zone 'utc')::date - 30) as requests_30_days`
const from = sql`projects as project join plans as plan on plan.code = project.plan`

export function listOperatorProjects(database: Queryable, page: PageRequest): Promise<Page<OperatorProject>> {
  return selectPage(database, { columns, from, where: sql`true`, orderBy: sql`project.id`, page })
}

export async function findOperatorProject(
  database: Queryable,
  id: number,
): Promise<OperatorProject | undefined> {
  const [row] = await database.query(sql<OperatorProject>`
    select ${columns} from ${from} where project.id = ${id}`)
  return row
}
