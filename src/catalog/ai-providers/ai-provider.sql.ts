import type { Queryable, Transaction } from '../../platform/database/database.ts'
import { type Statement, sql } from '../../platform/database/sql.ts'
import { type Page, type PageRequest, selectPage } from '../../platform/database/statements/select-page.ts'
import type { ProviderFindings, ProviderKind, ProviderModel, providerStates } from './ai-provider.schema.ts'

/** A provider as it is stored. Amounts are in millionths of the currency. */
export type StoredProvider = {
  name: string
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
  state: (typeof providerStates)[number]
  is_offered: boolean
  cap: number | null
  /** Whether `ai_providers` has a row for it. */
  has_row: boolean
  created_at: string
  updated_at: string
}

/** The project's own providers, and those that the operator offers to its plan, unless an own one has the same name. */
const ofProject = (projectId: number) => sql`
    select name, kind, base_url, key, currency, models, concurrency, requests_per_minute, monthly_budget, findings, state,
      false as is_offered, null::bigint as cap, true as has_row, created_at, updated_at
    from ai_providers where project_id = ${projectId} and offer is null
    union all
    select offer.name, offer.kind, offer.base_url, offer.key, offer.currency, offer.models, offer.concurrency,
      offer.requests_per_minute, null::bigint, offer.findings, offer.state, true, offer.project_cap, own.name is not null,
      offer.created_at, offer.updated_at
    from ai_offers as offer join projects as project on project.id = ${projectId} and project.plan = any(offer.plans)
    left join ai_providers as own on own.project_id = project.id and own.name = offer.name
    where own.kind is null`

export function listStoredProviders(
  database: Queryable,
  projectId: number,
  page: PageRequest,
): Promise<Page<StoredProvider>> {
  return selectPage(database, {
    columns: sql`*`,
    from: sql`(${ofProject(projectId)}) as provider`,
    where: sql`true`,
    orderBy: sql`name`,
    page,
  })
}

export async function findStoredProvider(
  database: Queryable,
  projectId: number,
  name: string,
): Promise<StoredProvider | undefined> {
  const [row] = await database.query(
    sql<StoredProvider>`select * from (${ofProject(projectId)}) as provider where name = ${name}`,
  )
  return row
}

/** The row in which all processes count the calls of a project to an offered provider. */
export function insertOfferedRow(projectId: number, name: string): Statement<never> {
  return sql`
    insert into ai_providers (project_id, name, offer) select ${projectId}, name, name from ai_offers where name = ${name}
    on conflict do nothing`
}

export async function countOwnProviders(tx: Transaction, projectId: number): Promise<number> {
  const [row] = await tx.query(sql<{ count: number }>`
    select count(*) as count from ai_providers where project_id = ${projectId} and offer is null`)
  return row?.count ?? 0
}

export type ProviderValues = Pick<
  StoredProvider,
  | 'kind'
  | 'base_url'
  | 'key'
  | 'currency'
  | 'models'
  | 'concurrency'
  | 'requests_per_minute'
  | 'monthly_budget'
  | 'findings'
>

/** Enables the provider. What runs maintain starts again, because the limits may be others. */
export async function storeProvider(
  tx: Transaction,
  projectId: number,
  name: string,
  values: ProviderValues,
): Promise<void> {
  const { kind, base_url, key, currency, concurrency, requests_per_minute, monthly_budget } = values
  const [models, findings] = [
    JSON.stringify(values.models),
    values.findings && JSON.stringify(values.findings),
  ]
  await tx.query(sql`
    insert into ai_providers (project_id, name, kind, base_url, key, currency, models, concurrency, requests_per_minute,
      monthly_budget, findings)
    values (${projectId}, ${name}, ${kind}, ${base_url}, ${key}, ${currency}, ${models}, ${concurrency},
      ${requests_per_minute}, ${monthly_budget}, ${findings})
    on conflict (project_id, name) do update set offer = null, kind = excluded.kind, base_url = excluded.base_url,
      key = excluded.key, currency = excluded.currency, models = excluded.models, concurrency = excluded.concurrency,
      requests_per_minute = excluded.requests_per_minute, monthly_budget = excluded.monthly_budget,
      findings = excluded.findings, state = 'enabled', allowed_concurrency = null, concurrency_changed_at = null,
      paused_until = null, updated_at = now()`)
}

export async function deleteProviderRow(tx: Transaction, projectId: number, name: string): Promise<void> {
  await tx.query(sql`
    delete from ai_providers where project_id = ${projectId} and name = ${name} and offer is null`)
}

/** Only if the provider did not change during the test. */
export async function storeFindings(
  tx: Transaction,
  projectId: number,
  { name, updated_at }: Pick<StoredProvider, 'name' | 'updated_at'>,
  findings: ProviderFindings,
): Promise<void> {
  await tx.query(sql`
    update ai_providers set findings = ${JSON.stringify(findings)}
    where project_id = ${projectId} and name = ${name} and updated_at = ${updated_at}`)
}
