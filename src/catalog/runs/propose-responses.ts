import type { Transaction } from '../../platform/database/database.ts'
import { repeatedTexts, textKeys } from '../model-requests/flag-values.ts'
import type { ModelKey } from '../prompts/model-outcomes.sql.ts'
import { findPromptName } from '../prompts/prompt.sql.ts'
import { type ModelLine, proposeModelLines } from '../proposals/propose-model-lines.ts'
import { currentRuleset } from '../rulesets/rulesets.ts'
import { listUnproposed, markProposed, type Response } from './responses.sql.ts'
import type { RunKey, RunRow } from './run.sql.ts'

const batchLines = 100

/** Returns the ID of the proposal; undefined if there is no response. */
export async function proposeResponses(
  tx: Transaction,
  key: RunKey,
  run: RunRow,
): Promise<number | undefined> {
  const [first] = await listUnproposed(tx, key, 0, 1)
  if (first === undefined) return undefined
  const { projectId } = key
  const ruleset = await currentRuleset(tx, projectId)
  const author = { actor: run.actor, source: run.source }
  const name = await findPromptName(tx, projectId, run.prompt_id)
  const proposal = await proposeModelLines(
    tx,
    {
      push: { projectId, author, ruleset, mode: 'update' },
      title: `${name.slice(0, 150)} ${run.version_number}`,
      tokenId: run.token_id,
      run: { id: run.id, writtenBy: writtenBy(run) },
    },
    readLines(tx, key),
  )
  await markProposed(tx, key, proposal.id)
  return proposal.id
}

export function writtenBy({ prompt_id, version_number, model, currency }: RunRow): ModelKey {
  return { prompt_id, version_number, model, currency }
}

/** Reads the responses twice in batches, because a line is flagged if another one has the same text. */
async function* readLines(tx: Transaction, key: RunKey): AsyncGenerator<ModelLine[]> {
  const keys: string[][] = []
  for await (const batch of readBatches(tx, key))
    keys.push(...batch.map(({ response }) => textKeys(response)))
  const repeated = repeatedTexts(keys)
  let line = 0
  for await (const batch of readBatches(tx, key))
    yield batch.map((one) => {
      line += 1
      const isRepeated = (keys[line - 1] ?? []).some((text) => repeated.has(text))
      return asLine(one, line, isRepeated)
    })
}

async function* readBatches(tx: Transaction, key: RunKey): AsyncGenerator<Response[]> {
  for (let after = 0; ; ) {
    const batch = await listUnproposed(tx, key, after, batchLines)
    if (batch.length === 0) return
    yield batch
    after = batch.at(-1)?.place ?? after
  }
}

/** A field that the model declined stays as it is. */
function asLine(
  { product_id, response, base, flags }: Response,
  line: number,
  isRepeated: boolean,
): ModelLine {
  const values = Object.fromEntries(Object.entries(response).filter(([, value]) => value !== null))
  return {
    ...{ line, product_id, sku: base.sku, values },
    base: { version: base.version, values: base.values, sources: base.sources },
    flags: [...(flags ?? []), ...(isRepeated ? (['same_text'] as const) : [])],
  }
}
