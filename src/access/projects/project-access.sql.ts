import { sql } from '../../platform/database/sql.ts'

/** The rights of a project, from the rows `project` and `plan`. The operator's override takes precedence over the plan. */
export const apiAccess = sql`case project.api_access when 'on' then true when 'off' then false else plan.api_access end`
/** Whether anyone can read the media files of the project by their URLs. */
export const publicMedia = sql`(project.media = 'public' and ${apiAccess})`
export const requestsPerSecond = sql`case project.rate_limit when 'none' then null
  when 'plan' then plan.requests_per_second else project.rate_limit::int end`
export const burst = sql`case project.rate_limit when 'plan' then plan.burst when 'none' then 0
  else 2 * project.rate_limit::int end`
export const selfServiceTokens = sql`case project.self_service_tokens when 'on' then true when 'off' then false
  else plan.self_service_tokens end`
