import { promptLimits } from '../../model/limits/prompts.ts'
import type { Queryable, Transaction } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'
import { jsonRows } from '../../platform/database/statements/json-rows.ts'

/** What wrote the lines of a run, and the currency of its cost. */
export type ModelKey = { prompt_id: number; version_number: string; model: string; currency: string }

/** What to add to the sums of a model. Proposals count lines and decisions; runs add only the cost, in millionths. */
export type ModelOutcomes = ModelKey & {
  lines?: number
  accepted?: number
  edited?: number
  rejected?: number
  accepted_fields?: number
  cost?: number | bigint
}

/**
 * Adds to the sums, which stay locked until the transaction ends. Call it as late as possible, and lock the run or the proposal
 * before, so that no two transactions wait for each other.
 */
export async function addModelOutcomes(
  tx: Transaction,
  projectId: number,
  sums: readonly ModelOutcomes[],
): Promise<void> {
  if (sums.length === 0) return
  const rows = sums.map(({ cost = 0, ...sum }) => ({ ...sum, cost: String(cost) }))
  await tx.query(sql`
    insert into model_outcomes as stored (project_id, prompt_id, version_number, model, currency, lines, accepted, edited,
                                          rejected, accepted_fields, cost)
    select ${projectId}::bigint, (line ->> 'prompt_id')::bigint, line ->> 'version_number', line ->> 'model', line ->> 'currency',
           coalesce(sum((line ->> 'lines')::bigint), 0), coalesce(sum((line ->> 'accepted')::bigint), 0),
           coalesce(sum((line ->> 'edited')::bigint), 0), coalesce(sum((line ->> 'rejected')::bigint), 0),
           coalesce(sum((line ->> 'accepted_fields')::bigint), 0), sum((line ->> 'cost')::bigint)
    from ${jsonRows(rows)}
    group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5
    on conflict (project_id, prompt_id, version_number, model, currency) do update set
      lines = stored.lines + excluded.lines, accepted = stored.accepted + excluded.accepted,
      edited = stored.edited + excluded.edited, rejected = stored.rejected + excluded.rejected,
      accepted_fields = stored.accepted_fields + excluded.accepted_fields, cost = stored.cost + excluded.cost`)
}

/** The stored sums of a model. */
export type ModelSums = Required<Omit<ModelOutcomes, 'prompt_id' | 'cost'>> & { cost: number }

export function listModelOutcomes(
  database: Queryable,
  projectId: number,
  promptId: number,
): Promise<ModelSums[]> {
  return database.query(sql<ModelSums>`
    select version_number, model, currency, lines, accepted, edited, rejected, accepted_fields, cost from model_outcomes
    where project_id = ${projectId} and prompt_id = ${promptId}
    order by string_to_array(version_number, '.')::int[] desc, lines desc, model, currency limit ${promptLimits.outcomeModels}`)
}
