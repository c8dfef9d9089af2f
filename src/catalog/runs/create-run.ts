import { runLimits } from '../../model/limits/runs.ts'
import { advisoryLocks, lockInProject } from '../../platform/database/advisory-locks.ts'
import { bulkLimits, type Transaction, type Writable } from '../../platform/database/database.ts'
import { Problem } from '../../platform/http/problems.ts'
import { lockErasure } from '../proposals/proposal.sql.ts'
import type { RunPlan } from './plan-run.ts'
import {
  countUnfinished,
  insertRun,
  type RunKey,
  type RunRow,
  requireRun,
  setProductCount,
} from './run.sql.ts'
import { insertMatching, insertProducts } from './run-call.sql.ts'
import type { RunCreate } from './run-create.schema.ts'
import { recordStart } from './run-events.ts'
import { requestRun } from './run-job.ts'

/** Who starts a run. It stops if they lose their access. */
export type RunStarter = { actor: string; source: 'api' | 'console' | 'cli'; tokenId: number | null }

/** Stores which products the run has, and requests the job that makes its calls. */
export function createRun(
  writable: Writable,
  plan: RunPlan,
  { write, view, variables = {}, sample = runLimits.sample, reuse = true }: RunCreate,
  { actor, source, tokenId }: RunStarter,
): Promise<RunRow> {
  const { project_id: projectId } = plan.project
  const { prompt_id, version_number } = plan.template
  const create = async (tx: Transaction) => {
    // Serializes the creation of runs, so that concurrent requests cannot exceed the limit.
    await lockInProject(tx, advisoryLocks.runs, projectId, 'alone')
    if ((await countUnfinished(tx, projectId)) >= runLimits.unfinished) throw new Problem('too_many_runs')
    await lockErasure(tx, projectId, false)
    const id = await insertRun(tx, projectId, {
      ...{ prompt_id, version_number, provider: plan.provider.name, model: plan.model.name },
      ...{ actor, source, token_id: tokenId, fields: write, view: view ?? null, variables, sample, reuse },
      ...{ currency: plan.provider.currency, budget: plan.budget },
    })
    const key = { projectId, id }
    await setProductCount(tx, key, await addProducts(tx, key, plan.chosen))
    await requestRun(tx, key)
    const run = await requireRun(tx, key)
    await recordStart(tx, projectId, { actor, source }, run)
    return run
  }
  return writable.transaction(create, { ...bulkLimits, project: projectId })
}

async function addProducts(tx: Transaction, key: RunKey, chosen: RunPlan['chosen']): Promise<number> {
  if ('products' in chosen) {
    const unknown = await insertProducts(tx, key, chosen.products)
    if (unknown.length === 0) return chosen.products.length
    const [first = 0] = unknown
    const pointer = `/products/${chosen.products.indexOf(first)}`
    throw invalid(pointer, 'unknown_product', `there is no product ${first} in this project`)
  }
  const count = await insertMatching(tx, key, chosen.filters, {
    most: runLimits.products,
    wanted: chosen.limit,
  })
  if (count === 0) throw invalid('/filter', 'too_few', 'matches no products')
  if (count <= runLimits.products) return count
  const message = `matches more than ${runLimits.products} products; narrow the filter, or send limit`
  throw invalid('/filter', 'too_many', message)
}

function invalid(pointer: string, code: string, message: string): Problem {
  return new Problem('invalid_body', { errors: [{ pointer, code, message }] })
}
