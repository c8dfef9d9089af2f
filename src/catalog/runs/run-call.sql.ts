import type { Queryable, Transaction } from '../../platform/database/database.ts'
import { planEachTime, sql } from '../../platform/database/sql.ts'
import { type Page, type PageRequest, selectPage } from '../../platform/database/statements/select-page.ts'
import { jsonbBytes } from '../../platform/database/statements/stored-bytes.ts'
import { type Filters, matchingProducts } from '../products/product-filters.ts'
import { fromMillionths } from './money.ts'
import type { CallState, RunCall } from './run.schema.ts'
import type { RunKey, RunRow } from './run.sql.ts'
import type { Remaining } from './run-states.ts'

type CallRow = Omit<RunCall, 'tokens' | 'cost' | 'flags'> & {
  input_tokens: number
  output_tokens: number
  cost: number
  flags: RunCall['flags'] | null
}

const smallBytes = 500

export async function listCalls(
  database: Queryable,
  { projectId, id }: RunKey,
  { state }: { state?: CallState | undefined },
  page: PageRequest,
  maxBytes: number,
): Promise<Page<RunCall>> {
  const found = await selectPage<CallRow>(database, {
    columns: sql`product_id, state, error, attempts, is_reused as reused, input_tokens, output_tokens, cost, response as values, flags,
      proposal_id as proposal, line, started_at, finished_at`,
    from: sql`run_calls`,
    where: sql`project_id = ${projectId} and run_id = ${id} ${state === undefined ? sql`` : sql`and state = ${state}`}`,
    orderBy: sql`place`,
    page,
    bound: { rowBytes: sql`(coalesce(${jsonbBytes(sql`page.values`)}, 0) + ${smallBytes}::int)`, maxBytes },
  })
  return { ...found, results: found.results.map(showCall) }
}

function showCall({ input_tokens, output_tokens, cost, flags, ...call }: CallRow): RunCall {
  return {
    ...call,
    tokens: { input: input_tokens, output: output_tokens },
    cost: fromMillionths(cost),
    flags: flags ?? [],
  }
}

/** Adds the matching products, in the order of their IDs. Returns how many there are, up to one more than the limit. */
export async function insertMatching(
  tx: Transaction,
  { projectId, id }: RunKey,
  filters: Filters,
  { most, wanted = most + 1 }: { most: number; wanted?: number | undefined },
): Promise<number> {
  const [row] = await tx.query(
    planEachTime(sql<{ count: number }>`
      with matched as materialized (
        select product.id from products as product where ${matchingProducts(projectId, filters)}
        order by product.id limit ${Math.min(wanted, most + 1)}
      ), inserted as (
        insert into run_calls (project_id, run_id, place, product_id)
        select ${projectId}, ${id}, row_number() over (order by id), id from matched
        where (select count(*) from matched) <= ${most}
      )
      select count(*) as count from matched`),
  )
  return row?.count ?? 0
}

/** Adds products by ID, in the given order. Returns the IDs that do not exist. */
export async function insertProducts(
  tx: Transaction,
  { projectId, id }: RunKey,
  productIds: readonly number[],
): Promise<number[]> {
  const rows = await tx.query(
    planEachTime(sql<{ id: number }>`
      with wanted as materialized (
        select * from unnest(${productIds}::bigint[]) with ordinality as given (id, place)
      ), inserted as (
        insert into run_calls (project_id, run_id, place, product_id)
        select ${projectId}, ${id}, wanted.place, product.id
        from wanted join products as product on product.project_id = ${projectId} and product.id = wanted.id
        returning product_id
      )
      select id from wanted where not exists (select from inserted where product_id = wanted.id) order by place`),
  )
  return rows.map((row) => row.id)
}

/** What remains of a locked run. Its counts show how many products wait, so that no statement counts thousands of rows. */
export async function countRemaining(
  tx: Queryable,
  projectId: number,
  { id, sample, products, done, failed, declined, skipped }: RunRow,
): Promise<Remaining> {
  const [row] = await tx.query(sql<{ calling: number; inSample: number }>`
    select (select count(*) from run_calls where project_id = ${projectId} and run_id = ${id} and state = 'calling') as calling,
      (select count(*) from (
        select from run_calls where project_id = ${projectId} and run_id = ${id} and state = 'waiting' and place <= ${sample} limit 1
      ) as first) as "inSample"`)
  const { calling = 0, inSample = 0 } = row ?? {}
  return {
    calling,
    waitingInSample: inSample,
    waiting: products - done - failed - declined - skipped - calling,
  }
}

/** Removes what a run read and wrote about an erased product. Its figures stay. */
export async function eraseFromRuns(tx: Transaction, projectId: number, productId: number): Promise<void> {
  await tx.query(sql`
    update run_calls set base = null, response = null, input_hash = null, flags = null
    where project_id = ${projectId} and product_id = ${productId}`)
}

/** Ends the calls in progress of a locked run that failed, at their worst case, so that nothing stays reserved. */
export async function abandonCalls(
  tx: Transaction,
  { projectId, id }: RunKey,
  currency: string,
): Promise<void> {
  await tx.query(sql`
    with held as materialized (
      select place, reserved, month from run_calls
      where project_id = ${projectId} and run_id = ${id} and state = 'calling' for no key update
    ), ended as (
      update run_calls as call set state = 'failed', error = 'interrupted', owner = null, cost = call.cost + held.reserved,
        reserved = 0, finished_at = clock_timestamp()
      from held where call.project_id = ${projectId} and call.run_id = ${id} and call.place = held.place
    ), of_month as (
      update ai_spending as own set reserved = own.reserved - months.amount, spent = own.spent + months.amount
      from (select month, sum(reserved) as amount from held group by month) as months
      where own.project_id = ${projectId} and own.currency = ${currency} and own.month = months.month
    )
    update runs set reserved = runs.reserved - sums.amount, spent = runs.spent + sums.amount, failed = runs.failed + sums.calls
    from (select coalesce(sum(reserved), 0) as amount, count(*) as calls from held) as sums
    where runs.project_id = ${projectId} and runs.id = ${id}`)
}
