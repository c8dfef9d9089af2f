import type { Queryable, Transaction } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'
import { type Page, type PageRequest, selectPage } from '../../platform/database/statements/select-page.ts'
import { notFound } from '../../platform/http/problems.ts'
import { fromMillionths } from './money.ts'
import type { Run } from './run.schema.ts'
import { isActive, type RunReason, type RunState, type Stop } from './run-states.ts'

export type RunKey = { projectId: number; id: number }

/** A run with its internal columns. Amounts are millionths. */
export type RunRow = Pick<
  Run,
  | 'id'
  | 'state'
  | 'version_number'
  | 'provider'
  | 'model'
  | 'proposals'
  | 'products'
  | 'done'
  | 'failed'
  | 'declined'
  | 'skipped'
  | 'reused'
  | 'view'
  | 'sample'
  | 'created_at'
  | 'actor'
> & {
  reason: RunReason | null
  prompt_id: number
  stop_state: Stop['state'] | null
  stop_reason: RunReason | null
  source: 'api' | 'console' | 'cli'
  token_id: number | null
  fields: string[]
  variables: Record<string, unknown>
  reuse: boolean
  currency: string
  budget: number | null
  reserved: number
  spent: number
  counted: number
  input_tokens: number
  output_tokens: number
  failures_in_row: number
  limited_in_row: number
  resumes_at: string | null
  finished_at: string | null
}

const columns = sql`id, state, reason, version_number, provider, model, to_json(proposals) as proposals, products, done, failed,
  declined, skipped, reused, sample, created_at, actor, prompt_id, stop_state, stop_reason, source, token_id, fields, variables,
  view, reuse, currency, budget, reserved, spent, counted, input_tokens, output_tokens, failures_in_row, limited_in_row, resumes_at, finished_at`

/** The run as responses show it. A run that is about to stop shows why. */
export function showRun(row: RunRow): Run {
  const { id, state, version_number, provider, model, proposals, sample, created_at, actor } = row
  const { products, done, failed, declined, skipped, reused, budget, reserved, spent, currency } = row
  return {
    ...{
      id,
      state,
      reason: row.stop_reason ?? row.reason,
      resumes_at: isActive(state) ? row.resumes_at : null,
      prompt: row.prompt_id,
      version_number,
      provider,
      model,
    },
    ...{ proposals, products, done, failed, declined, skipped, reused },
    tokens: { input: row.input_tokens, output: row.output_tokens },
    cost: {
      budget: budget === null ? null : fromMillionths(budget),
      reserved: fromMillionths(reserved),
      spent: fromMillionths(spent),
      currency,
    },
    ...{ write: row.fields, view: row.view, sample, created_at, actor },
  }
}

export async function findRun(database: Queryable, { projectId, id }: RunKey): Promise<RunRow | undefined> {
  const [row] = await database.query(sql<RunRow>`
    select ${columns} from runs where project_id = ${projectId} and id = ${id}`)
  return row
}

export async function requireRun(database: Queryable, key: RunKey): Promise<RunRow> {
  const row = await findRun(database, key)
  if (row === undefined) throw notFound('run', key.id)
  return row
}

/** Locks the run until the transaction ends. Calls and the spending of the month are locked after it. */
export async function lockRun(tx: Transaction, { projectId, id }: RunKey): Promise<RunRow | undefined> {
  const [row] = await tx.query(sql<RunRow>`
    select ${columns} from runs where project_id = ${projectId} and id = ${id} for no key update`)
  return row
}

/** Newest first. */
export async function listRuns(
  database: Queryable,
  projectId: number,
  { state }: { state?: RunState | undefined },
  page: PageRequest,
): Promise<Page<Run>> {
  const found = await selectPage<RunRow>(database, {
    columns,
    from: sql`runs`,
    where: sql`project_id = ${projectId} ${state === undefined ? sql`` : sql`and state = ${state}`}`,
    orderBy: sql`id desc`,
    page,
  })
  return { ...found, results: found.results.map(showRun) }
}

export async function countUnfinished(tx: Transaction, projectId: number): Promise<number> {
  const [row] = await tx.query(sql<{ count: number }>`
    select count(*) as count from runs where project_id = ${projectId} and finished_at is null`)
  return row?.count ?? 0
}

export type NewRun = Pick<
  RunRow,
  | 'prompt_id'
  | 'version_number'
  | 'provider'
  | 'model'
  | 'actor'
  | 'source'
  | 'token_id'
  | 'fields'
  | 'view'
  | 'variables'
  | 'sample'
  | 'reuse'
  | 'currency'
> & { budget: bigint | null }

/** The products are added in the same transaction. */
export async function insertRun(tx: Transaction, projectId: number, run: NewRun): Promise<number> {
  const state: RunState = run.sample > 0 ? 'sampling' : 'running'
  const [row] = await tx.query(sql<{ id: number }>`
    insert into runs (project_id, prompt_id, version_number, provider, model, state, actor, source, token_id, fields, view, variables,
                      sample, reuse, currency, budget, products)
    values (${projectId}, ${run.prompt_id}, ${run.version_number}, ${run.provider}, ${run.model}, ${state}, ${run.actor},
            ${run.source}, ${run.token_id}, ${run.fields}, ${run.view}, ${JSON.stringify(run.variables)}::jsonb, ${run.sample}, ${run.reuse},
            ${run.currency}, ${run.budget === null ? null : String(run.budget)}::bigint, 0)
    returning id`)
  return (row as { id: number }).id
}

export async function setProductCount(
  tx: Transaction,
  { projectId, id }: RunKey,
  products: number,
): Promise<void> {
  await tx.query(sql`update runs set products = ${products} where project_id = ${projectId} and id = ${id}`)
}

/** Changes the state of a locked run, and clears what it was about to do. */
export async function updateRunState(
  tx: Transaction,
  { projectId, id }: RunKey,
  { state, reason }: { state: RunState; reason: RunReason | null },
  proposalId?: number,
): Promise<void> {
  const isFinal = state === 'done' || state === 'cancelled' || state === 'failed'
  await tx.query(sql`
    update runs set state = ${state}, reason = ${reason}, stop_state = null, stop_reason = null,
      finished_at = ${isFinal ? sql`coalesce(finished_at, clock_timestamp())` : sql`null`},
      failures_in_row = 0, limited_in_row = 0, resumes_at = null,
      proposals = case when ${proposalId ?? null}::bigint is null then proposals else proposals || ${proposalId ?? null}::bigint end
    where project_id = ${projectId} and id = ${id}`)
}

/** The run stops as soon as its calls have ended. A cancellation takes precedence over every other stop. */
export async function requestStop(
  tx: Transaction,
  { projectId, id }: RunKey,
  { state, reason }: Stop,
): Promise<void> {
  await tx.query(sql`
    update runs set stop_state = ${state}, stop_reason = ${reason}
    where project_id = ${projectId} and id = ${id} and state in ('sampling', 'running')
      and (stop_state is null or ${state} = 'cancelled')`)
}

/** The run makes calls again. */
export async function withdrawStop(tx: Transaction, { projectId, id }: RunKey): Promise<void> {
  await tx.query(sql`
    update runs set stop_state = null, stop_reason = null where project_id = ${projectId} and id = ${id}`)
}

export async function setBudget(tx: Transaction, { projectId, id }: RunKey, budget: bigint): Promise<void> {
  await tx.query(sql`
    update runs set budget = ${String(budget)}::bigint where project_id = ${projectId} and id = ${id}`)
}

/** What an active run waits for, and for how long. The next call clears it. */
export async function setReason(
  database: Queryable,
  { projectId, id }: RunKey,
  reason: RunReason,
  milliseconds: number,
): Promise<void> {
  await database.query(sql`
    update runs set reason = ${reason}, resumes_at = clock_timestamp() + ${milliseconds}::float8 * interval '1 millisecond'
    where project_id = ${projectId} and id = ${id} and state in ('sampling', 'running')`)
}
