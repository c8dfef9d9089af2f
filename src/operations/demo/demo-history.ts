import { adjustInTransaction } from '../../catalog/inventory/adjust-stock.ts'
import type { Author } from '../../catalog/products/write-products.ts'
import { applyProposal } from '../../catalog/proposals/apply-proposal.ts'
import { createProposal } from '../../catalog/proposals/create-proposal.ts'
import { discardProposal } from '../../catalog/proposals/discard-proposal.ts'
import type { LineResult } from '../../catalog/push/push-products.ts'
import { pushProducts } from '../../catalog/push/push-products.ts'
import type { Ruleset } from '../../model/quality/ruleset.ts'
import type { Transaction } from '../../platform/database/database.ts'
import type { Line } from '../../platform/http/body/split-body.ts'
import { authors, type Change, type DemoLine, type Proposed } from './demo-data.ts'
import { moveChanges, moveProposal } from './demo-dates.ts'

export type Shop = { projectId: number; ruleset: Ruleset; promptIds: ReadonlyMap<string, number> }

/** Returns the product IDs by SKU. */
export async function addProducts(
  tx: Transaction,
  shop: Shop,
  author: Author,
  lines: DemoLine[],
): Promise<Map<string, number>> {
  const results = await push(tx, shop, author, lines, 'created')
  return new Map(results.map(({ sku, id }) => [String(sku), Number(id)]))
}

/** Writes consecutive changes of one author in one batch, as long as no product repeats, and backdates each product. */
export async function addChanges(
  tx: Transaction,
  shop: Shop,
  ids: ReadonlyMap<string, number>,
  changes: Change[],
): Promise<void> {
  const batches: Change[][] = []
  for (const change of changes) {
    const last = batches.at(-1)
    if (last?.every(({ by, sku }) => by === change.by && sku !== change.sku)) last.push(change)
    else batches.push([change])
  }
  for (const batch of batches) {
    const lines: DemoLine[] = []
    for (const { by, days_ago: _, ...change } of batch) {
      if (change.delta === undefined) lines.push(change)
      else
        await adjustInTransaction(tx, {
          projectId: shop.projectId,
          id: ids.get(change.sku) as number,
          author: authors[by],
          delta: change.delta,
          reason: change.reason,
        })
    }
    if (lines.length > 0) await push(tx, shop, authors[(batch[0] as Change).by], lines, 'updated')
    await moveChanges(tx, shop.projectId, batch)
  }
}

export async function addProposal(tx: Transaction, shop: Shop, proposed: Proposed): Promise<void> {
  const { projectId, ruleset } = shop
  const { by, title, lines, days_ago, meanwhile, decision } = proposed
  const origin = by === 'member' ? 'console' : 'api'
  const written = { projectId, author: authors[by], ruleset, mode: 'upsert' } as const
  const draft = { push: written, title, origin, tokenId: null } as const
  const id = await createProposal(tx, draft, demoLines(shop, lines))
  const { member } = authors
  if (meanwhile !== undefined) {
    await push(tx, shop, member, meanwhile.lines, 'updated')
    await moveChanges(tx, projectId, on(meanwhile.days_ago, meanwhile.lines))
  }
  if (decision?.act === 'apply') {
    const applied = { ...written, author: { ...member, proposal: id } }
    const { actor: reviewer } = member
    await applyProposal(tx, {
      push: applied,
      proposalId: id,
      reviewer,
      numbers: undefined,
      overwrite: false,
      revision: undefined,
    })
    await moveChanges(tx, projectId, on(decision.days_ago, lines))
  }
  if (decision?.act === 'discard')
    await discardProposal(tx, { projectId, author: member, id, numbers: undefined, onlyTokenId: null })
  await moveProposal(tx, projectId, id, { proposed: days_ago, decided: decision?.days_ago ?? days_ago })
}

function on(days_ago: number, lines: DemoLine[]): { sku: string; days_ago: number }[] {
  return lines.map(({ sku }) => ({ sku, days_ago }))
}

/** The demo data is fixed, so an unexpected result is an error in the data. */
async function push(
  tx: Transaction,
  shop: Shop,
  author: Author,
  lines: DemoLine[],
  expected: LineResult['outcome'],
): Promise<LineResult[]> {
  const { projectId, ruleset } = shop
  const results: LineResult[] = []
  const report = { begin: () => {}, add: (some: LineResult[]) => void results.push(...some) }
  await pushProducts(tx, { projectId, author, ruleset, mode: 'upsert' }, demoLines(shop, lines), report)
  const other = results.find(({ outcome }) => outcome !== expected)
  if (other !== undefined) throw new Error(`invalid demo data: ${JSON.stringify(other)}`)
  return results
}

function demoLines({ promptIds }: Shop, lines: DemoLine[]): Line[] {
  return lines.map((line, index) => {
    const { prompt, ...provenance } = line.provenance ?? {}
    const named = { ...line, provenance: { ...provenance, prompt_id: promptIds.get(prompt ?? '') } }
    const bytes = Buffer.from(JSON.stringify(prompt === undefined ? line : named))
    return { number: index + 1, bytes, spent: [] }
  })
}
