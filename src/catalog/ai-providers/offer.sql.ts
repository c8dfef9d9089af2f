import type { Queryable, Transaction } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'
import type { ProviderFindings } from './ai-provider.schema.ts'
import type { ProviderValues, StoredProvider } from './ai-provider.sql.ts'

/** A provider that the operator offers to the projects of some plans. The cap per project is in millionths. */
export type Offer = Omit<ProviderValues, 'monthly_budget'> &
  Pick<StoredProvider, 'name' | 'state' | 'created_at' | 'updated_at'> & {
    plans: string[]
    project_cap: number | null
  }

const columns = sql`name, kind, base_url, key, currency, models, concurrency, requests_per_minute, project_cap, plans, findings,
  state, created_at, updated_at`

export function listOffers(database: Queryable): Promise<Offer[]> {
  return database.query(sql<Offer>`select ${columns} from ai_offers order by name`)
}

export async function findOffer(database: Queryable, name: string): Promise<Offer | undefined> {
  const [row] = await database.query(sql<Offer>`select ${columns} from ai_offers where name = ${name}`)
  return row
}

/** Enables the provider for the projects of its plans. */
export async function storeOffer(
  tx: Transaction,
  name: string,
  values: Omit<Offer, 'name' | 'state' | 'created_at' | 'updated_at'>,
): Promise<void> {
  const { kind, base_url, key, currency, concurrency, requests_per_minute, project_cap, plans } = values
  const [models, findings] = [
    JSON.stringify(values.models),
    values.findings && JSON.stringify(values.findings),
  ]
  await tx.query(sql`
    insert into ai_offers (name, kind, base_url, key, currency, models, concurrency, requests_per_minute, project_cap, plans,
      findings)
    values (${name}, ${kind}, ${base_url}, ${key}, ${currency}, ${models}, ${concurrency}, ${requests_per_minute},
      ${project_cap}, ${plans}, ${findings})
    on conflict (name) do update set kind = excluded.kind, base_url = excluded.base_url, key = excluded.key,
      currency = excluded.currency, models = excluded.models, concurrency = excluded.concurrency,
      requests_per_minute = excluded.requests_per_minute, project_cap = excluded.project_cap, plans = excluded.plans,
      findings = excluded.findings, state = 'enabled', updated_at = now()`)
}

/** Also removes it from all projects. */
export async function deleteOffer(tx: Transaction, name: string): Promise<boolean> {
  const rows = await tx.query(sql`delete from ai_offers where name = ${name} returning 1`)
  return rows.length > 0
}

export async function storeOfferFindings(
  tx: Transaction,
  { name, updated_at }: Pick<Offer, 'name' | 'updated_at'>,
  findings: ProviderFindings,
): Promise<void> {
  await tx.query(sql`
    update ai_offers set findings = ${JSON.stringify(findings)} where name = ${name} and updated_at = ${updated_at}`)
}

/** The number of provider keys whose encryption key is not among these. */
export async function countUnreadableKeys(database: Queryable, keyIds: readonly string[]): Promise<number> {
  const [row] = await database.query(sql<{ count: number }>`
    select count(*) as count from (
      select key from ai_providers where key is not null union all select key from ai_offers where key is not null
    ) as stored
    where split_part(key, '.', 1) <> all(${keyIds}::text[])`)
  return row?.count ?? 0
}
