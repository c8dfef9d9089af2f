import type { Queryable } from '../../platform/database/database.ts'
import { type Statement, sql } from '../../platform/database/sql.ts'
import type { ProviderKind } from './ai-provider.schema.ts'

/** What a test of the provider found out: the ways in which it returns JSON, and whether it reports usage. */
export type ProviderFindings = {
  reachable: boolean
  json_schema: boolean
  json_object: boolean
  plain: boolean
  usage: boolean
}

/** Prices are in units of the currency per 1,000,000 tokens. */
type ProviderModel = {
  name: string
  input_price: number
  output_price: number
  max_output_tokens: number
}

type CallableProvider = {
  kind: ProviderKind
  base_url: string
  /** Encrypted. */
  key: string | null
  currency: string
  models: ProviderModel[]
  concurrency: number
  requests_per_minute: number | null
  monthly_budget: number | null
  findings: ProviderFindings | null
  state: 'enabled' | 'disabled'
  is_offered: boolean
  cap: number | null
  /** Whether `ai_providers` has a row for it. */
  has_row: boolean
}

/** The project's own provider, or the one that the operator offers to the plan of the project. */
export async function findCallableProvider(
  database: Queryable,
  projectId: number,
  name: string,
): Promise<CallableProvider | undefined> {
  const [row] = await database.query(sql<CallableProvider>`
    select kind, base_url, key, currency, models, concurrency, requests_per_minute, monthly_budget, findings, state,
      false as is_offered, null::bigint as cap, true as has_row
    from ai_providers where project_id = ${projectId} and name = ${name} and offer is null
    union all
    select offer.kind, offer.base_url, offer.key, offer.currency, offer.models, offer.concurrency, offer.requests_per_minute,
      null::bigint, offer.findings, offer.state, true, offer.project_cap, own.name is not null
    from ai_offers as offer join projects as project on project.id = ${projectId} and project.plan = any(offer.plans)
    left join ai_providers as own on own.project_id = project.id and own.name = offer.name
    where offer.name = ${name} and own.kind is null`)
  return row
}

/** The row in which all processes count the calls of a project to an offered provider. */
export function insertOfferedRow(projectId: number, name: string): Statement<never> {
  return sql`
    insert into ai_providers (project_id, name, offer) select ${projectId}, name, name from ai_offers where name = ${name}
    on conflict do nothing`
}
