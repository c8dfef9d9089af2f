import type { Queryable, Transaction } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'

export type Plan = {
  code: string
  name: string
  api_access: boolean
  requests_per_second: number
  burst: number
  self_service_tokens: boolean
  /** Null means unlimited. */
  storage_bytes: number | null
}

const columns = sql`code, name, api_access, requests_per_second, burst, self_service_tokens, storage_bytes`

export function listPlans(database: Queryable): Promise<Plan[]> {
  return database.query(sql<Plan>`select ${columns} from plans order by requests_per_second, code`)
}

export async function lockPlan(tx: Transaction, code: string): Promise<Plan | undefined> {
  const [row] = await tx.query(sql<Plan>`select ${columns} from plans where code = ${code} for update`)
  return row
}

export async function updateStorage(
  tx: Transaction,
  code: string,
  storageBytes: number | null,
): Promise<Plan> {
  const [row] = await tx.query(sql<Plan>`
    update plans set storage_bytes = ${storageBytes} where code = ${code} returning ${columns}`)
  return row as Plan
}
