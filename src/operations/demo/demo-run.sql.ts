import type { RunKey } from '../../catalog/runs/run.sql.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'
import { jsonRows } from '../../platform/database/statements/json-rows.ts'

/** How a call ended. The cost is in millionths. */
export type DemoCall = {
  place: number
  product_id: number
  state: 'done' | 'declined' | 'skipped'
  error: string | null
  tokens: { input: number; output: number }
  cost: string
  input_hash: string | null
  base: { version: number; sku: string; values: Record<string, unknown> } | null
  response: Record<string, string | null> | null
  flags: string[]
}

/** Stores the ends of calls that no one made, and their figures in the run. */
export async function storeCalls(
  tx: Transaction,
  { projectId, id }: RunKey,
  calls: readonly DemoCall[],
): Promise<void> {
  await tx.query(sql`
    with ended as (
      update run_calls as call set state = given ->> 'state', error = given ->> 'error', input_hash = given ->> 'input_hash',
        attempts = case given ->> 'state' when 'skipped' then 0 else 1 end, cost = (given ->> 'cost')::bigint,
        input_tokens = (given #>> '{tokens,input}')::int, output_tokens = (given #>> '{tokens,output}')::int,
        base = nullif(given -> 'base', 'null'), response = nullif(given -> 'response', 'null'),
        flags = array(select jsonb_array_elements_text(given -> 'flags'))
      from (select lines.line as given from ${jsonRows(calls)}) as input
      where call.project_id = ${projectId} and call.run_id = ${id} and call.place = (given ->> 'place')::int
      returning call.state, call.cost, call.input_tokens, call.output_tokens
    )
    update runs set done = sums.done, declined = sums.declined, skipped = sums.skipped, spent = sums.cost, counted = sums.cost,
      input_tokens = sums.input_tokens, output_tokens = sums.output_tokens
    from (
      select count(*) filter (where state = 'done') as done, count(*) filter (where state = 'declined') as declined,
        count(*) filter (where state = 'skipped') as skipped, sum(cost) as cost, sum(input_tokens) as input_tokens,
        sum(output_tokens) as output_tokens from ended
    ) as sums
    where project_id = ${projectId} and id = ${id}`)
}

export type Edit = { line: number; text: string }

/** Edits are private to proposals, so this statement does what an edit of a short description does. */
export async function editLines(
  tx: Transaction,
  projectId: number,
  proposalId: number,
  edits: readonly Edit[],
): Promise<void> {
  for (const { line, text } of edits)
    await tx.query(sql`
      with raised as (
        update proposals set revision = revision + 1 where project_id = ${projectId} and id = ${proposalId} returning revision
      )
      update proposal_lines set original = changes, edited_in = raised.revision,
        changes = jsonb_set(changes, '{short_description,after}', to_jsonb(${text}::text)),
        patch = jsonb_set(patch, '{short_description}', to_jsonb(${text}::text)),
        provenance = jsonb_set(provenance, '{short_description,edited}', 'true')
      from raised where project_id = ${projectId} and proposal_id = ${proposalId} and line = ${line}`)
}

/** Backdates a run to its proposal, marks its responses as proposed, and adds its cost to the month. */
export async function moveRun(tx: Transaction, { projectId, id }: RunKey, proposalId: number): Promise<void> {
  const finished = sql`(select created_at from proposals where project_id = ${projectId} and id = ${proposalId})`
  await tx.query(sql`
    update runs set created_at = ${finished} - products * interval '2 seconds', finished_at = ${finished}
    where project_id = ${projectId} and id = ${id}`)
  await tx.query(sql`
    update run_calls as call set started_at = case when call.state <> 'skipped' then ended.at - interval '2 seconds' end,
      finished_at = ended.at, line = ended.line, proposal_id = case when ended.line is not null then ${proposalId}::bigint end
    from (
      select call.place, run.created_at + call.place * interval '2 seconds' as at,
        case call.state when 'done' then row_number() over (partition by call.state order by call.place) end as line
      from run_calls as call join runs as run on run.project_id = call.project_id and run.id = call.run_id
      where call.project_id = ${projectId} and call.run_id = ${id}
    ) as ended
    where call.project_id = ${projectId} and call.run_id = ${id} and call.place = ended.place`)
  await tx.query(sql`
    insert into ai_spending as month (project_id, currency, month, spent)
    select project_id, currency, date_trunc('month', created_at at time zone 'UTC'), spent from runs
    where project_id = ${projectId} and id = ${id}
    on conflict (project_id, currency, month) do update set spent = month.spent + excluded.spent`)
}
