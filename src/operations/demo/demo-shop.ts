import type { Project } from '../../access/projects/project.sql.ts'
import { labelPrompt } from '../../catalog/prompts/label-prompt.ts'
import { insertPrompt, requirePrompt } from '../../catalog/prompts/prompt.sql.ts'
import { insertPromptVersion } from '../../catalog/prompts/prompt-version.sql.ts'
import { finishScoring } from '../../catalog/quality/scoring-job.sql.ts'
import { changeRuleset } from '../../catalog/rulesets/ruleset.sql.ts'
import { currentRuleset } from '../../catalog/rulesets/rulesets.ts'
import { recordEvents } from '../../model/events/record-events.sql.ts'
import { formatVersion } from '../../model/prompts/version-number.ts'
import { defaultRuleset, type Ruleset } from '../../model/quality/ruleset.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { millisecondsOf } from '../../platform/units.ts'
import { addDemoActivity } from './demo-admin-dates.ts'
import {
  type DemoLine,
  type DemoPrompt,
  readChanges,
  readDefinitions,
  readProducts,
  readPrompts,
  readProposals,
  readRuns,
  readViews,
} from './demo-data.ts'
import { alignLabelMoves, alignWithHistory, moveCreations } from './demo-dates.ts'
import { addChanges, addProducts, addProposal } from './demo-history.ts'
import { addRun } from './demo-run.ts'

/** The author of the first product versions and the prompts. */
const author = { actor: 'demo', source: 'cli' } as const
const [firstVersionDaysAgo, lastVersionDaysAgo] = [115, 27]

/** Adds the products with their history, prompts, proposals and runs. Returns the number of products. */
export async function fillShop(
  tx: Transaction,
  { id: projectId, currency }: Pick<Project, 'id' | 'currency'>,
): Promise<number> {
  const ruleset = await addRuleset(tx, projectId, currency)
  const promptIds = new Map<string, number>()
  for (const [name, prompt] of readPrompts()) promptIds.set(name, await addPrompt(tx, projectId, prompt))
  await alignLabelMoves(tx, projectId)
  const shop = { projectId, ruleset, promptIds }
  const ids = await addProducts(tx, shop, author, readProducts())
  await moveCreations(tx, projectId)
  await addChanges(tx, shop, ids, readChanges())
  for (const proposed of readProposals()) await addProposal(tx, shop, proposed)
  for (const run of readRuns()) await addRun(tx, shop, ids, run)
  await alignWithHistory(tx, projectId)
  await addDemoActivity(tx, projectId)
  return ids.size
}

/** Adds a few products, so that the console's locked API preview can show them. */
export async function fillLocked(tx: Transaction, projectId: number): Promise<void> {
  const isTent = ({ sku, description }: DemoLine) => sku.startsWith('OUT-TEN') && description
  const tents = readProducts().filter(isTent)
  const alone = tents.map((tent) => ({ ...tent, links: {} }))
  await addProducts(tx, { projectId, ruleset: defaultRuleset, promptIds: new Map() }, author, alone)
  await moveCreations(tx, projectId)
  await alignWithHistory(tx, projectId)
}

/** Adds attribute definitions and views before the products, so that no product needs rescoring. */
async function addRuleset(tx: Transaction, projectId: number, currency: string): Promise<Ruleset> {
  // Without `currency_since`, because the demo dates prices before this transaction.
  const views = { currency, definitions: readViews() }
  const ruleset = { rules: null, definitions: readDefinitions(), views }
  const version = await changeRuleset(tx, projectId, author, () => ruleset)
  await finishScoring(tx, projectId, version)
  return currentRuleset(tx, projectId)
}

async function addPrompt(tx: Transaction, projectId: number, prompt: DemoPrompt): Promise<number> {
  const { actor } = author
  const { versions, labels } = prompt
  const promptId = (await insertPrompt(tx, projectId, prompt)) as number
  const pause = (firstVersionDaysAgo - lastVersionDaysAgo) / (versions.length - 1)
  for (const [index, version] of versions.entries()) {
    const at = new Date(Date.now() - (firstVersionDaysAgo - index * pause) * millisecondsOf.day)
    await insertPromptVersion(tx, projectId, promptId, { ...version, actor, at })
  }
  const objects = [{ id: promptId, after: await requirePrompt(tx, projectId, promptId) }]
  await recordEvents(tx, projectId, { type: 'prompt.created', ...author, objects })
  const [first] = versions
  for (const [label, versionNumber] of Object.entries(labels))
    for (const version of first === undefined ? [] : [formatVersion(first.number), versionNumber])
      await labelPrompt(tx, { projectId, promptId, label, author }, { version_number: version })
  return promptId
}
