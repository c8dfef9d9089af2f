import { createProducts } from '../../catalog/products/create-product.ts'
import { labelPrompt } from '../../catalog/prompts/label-prompt.ts'
import { insertPrompt, requirePrompt } from '../../catalog/prompts/prompt.sql.ts'
import { insertPromptVersion } from '../../catalog/prompts/prompt-version.sql.ts'
import { recordEvents } from '../../model/events/record-events.sql.ts'
import type { NewProduct } from '../../model/product/product-input.schema.ts'
import { formatVersion } from '../../model/prompts/version-number.ts'
import { defaultRuleset, type Ruleset } from '../../model/quality/ruleset.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { followHistory, followVersions, moveCreations } from './demo-dates.ts'
import { addDefinitions } from './demo-definitions.ts'
import { moveStock, pushChapters, stockMovements } from './demo-life.ts'
import { demoPast } from './demo-past.ts'
import { type DemoPrompt, readDemoPrompts } from './demo-prompts.ts'
import { addProposals, chooseProposed, unproposed } from './demo-proposals.ts'

/** Who moved the shop in, and wrote its prompts. */
const author = { actor: 'demo', source: 'cli' } as const
const dayMilliseconds = 86_400_000
/** Of prompt versions: from moving in until lately. */
const [firstVersionDaysAgo, lastVersionDaysAgo] = [115, 27]

/** The shop as it was made, and all that became of it since. Returns the number of its products. */
export async function fillShop(tx: Transaction, projectId: number, made: NewProduct[][]): Promise<number> {
  const shop = { projectId, ruleset: await addDefinitions(tx, projectId, author) }
  const promptIds: number[] = []
  for (const prompt of readDemoPrompts()) promptIds.push(await addPrompt(tx, projectId, prompt))
  await followVersions(tx, projectId)
  const [writer, , reader] = promptIds as [number, number, number]
  const past = demoPast(made, { writer, reader })
  const chosen = chooseProposed(past.rest)
  const prices = unproposed(chosen)
  const { moved, movements } = stockMovements(past.rest.slice(40))
  const turns = past.turns.map((turn) =>
    turn.map((product) => ({ ...withLess(product, moved.get(product.sku)), ...prices.get(product.sku) })),
  )
  const ids = await addProducts(tx, projectId, turns, shop.ruleset)
  await moveCreations(tx, projectId)
  await pushChapters(tx, shop, past.chapters)
  await moveStock(tx, projectId, ids, movements)
  await addProposals(tx, shop, chosen, writer)
  await followHistory(tx, projectId)
  return ids.size
}

/** Enough for the console's locked preview of the API to show the project's own products. */
export async function fillLocked(tx: Transaction, projectId: number, made: NewProduct[][]): Promise<void> {
  const isTent = ({ sku }: NewProduct) => sku.startsWith('OUT-TEN')
  const tents = made.map((turn) => turn.filter(isTent).map((tent) => ({ ...tent, links: {} })))
  await addProducts(tx, projectId, tents, defaultRuleset)
  await moveCreations(tx, projectId)
  await followHistory(tx, projectId)
}

function withLess(product: NewProduct, moved = 0): NewProduct {
  const { inventory } = product
  if (inventory === undefined) return product
  return { ...product, inventory: { ...inventory, quantity: (inventory.quantity ?? 0) - moved } }
}

/** Their ids, by SKU. */
async function addProducts(
  tx: Transaction,
  projectId: number,
  turns: NewProduct[][],
  ruleset: Ruleset,
): Promise<Map<string, number>> {
  const ids = new Map<string, number>()
  for (const turn of turns) {
    const creations = turn.map((input) => ({ author, ruleset, input }))
    for (const { sku, id } of await createProducts(tx, projectId, creations)) ids.set(sku, id)
  }
  return ids
}

async function addPrompt(tx: Transaction, projectId: number, prompt: DemoPrompt): Promise<number> {
  const { actor } = author
  const { versions, labels } = prompt
  const promptId = (await insertPrompt(tx, projectId, prompt)) as number
  const pause = (firstVersionDaysAgo - lastVersionDaysAgo) / (versions.length - 1)
  for (const [index, version] of versions.entries()) {
    const at = new Date(Date.now() - (firstVersionDaysAgo - index * pause) * dayMilliseconds)
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
