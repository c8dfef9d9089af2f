import type { Author } from '../../catalog/products/write-products.ts'
import { applyProposal } from '../../catalog/proposals/apply-proposal.ts'
import { createProposal } from '../../catalog/proposals/create-proposal.ts'
import { discardProposal } from '../../catalog/proposals/discard-proposal.ts'
import type { NewProduct } from '../../model/product/product-input.schema.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { actors, roundedPrice } from './demo-chapters.ts'
import { moveChanges, moveProposal } from './demo-dates.ts'
import { linesOf, pushLines, type Shop } from './demo-life.ts'

type Chosen = Record<'summer' | 'october' | 'clearance' | 'autumn', NewProduct[]>

/** Which products each of the proposals is about. */
export function chooseProposed(rest: NewProduct[]): Chosen {
  return {
    summer: rest.slice(0, 18),
    october: rest.slice(18, 25),
    clearance: rest.slice(25, 31),
    autumn: rest.slice(31, 40),
  }
}

/** Prices before the proposals that were applied: what they made of them is what the products cost. */
export function unproposed({ summer, october }: Chosen): Map<string, Partial<NewProduct>> {
  return new Map([...summer, ...october].map(({ sku, price }) => [sku, { price: roundedPrice(price, 1.15) }]))
}

/** One that was applied, one that somebody came between, one that nobody wanted, and one to decide on. */
export async function addProposals(
  tx: Transaction,
  shop: Shop,
  chosen: Chosen,
  promptId: number,
): Promise<void> {
  const { projectId } = shop
  const summer = await propose(tx, shop, actors.prices, 'Summer prices', chosen.summer.map(sellingPrice))
  await apply(tx, shop, summer)
  await moveChanges(tx, projectId, on(40, chosen.summer))
  await moveProposal(tx, projectId, summer, { proposed: 42, decided: 40 })

  const wanted = chosen.october.map(({ sku, price }, index) => ({
    sku,
    price: index < 2 ? roundedPrice(price, 1.3) : price,
  }))
  const october = await propose(tx, shop, actors.prices, 'Prices of the new supplier list', wanted)
  await pushLines(tx, shop, actors.member, chosen.october.slice(0, 2).map(sellingPrice))
  await moveChanges(tx, projectId, on(15, chosen.october))
  await apply(tx, shop, october)
  await moveChanges(tx, projectId, on(14, chosen.october))
  await moveProposal(tx, projectId, october, { proposed: 16, decided: 14 })

  const half = chosen.clearance.map(({ sku, price }) => ({ sku, price: roundedPrice(price, 0.5) }))
  const clearance = await propose(tx, shop, actors.member, 'Everything at half price', half)
  await discardProposal(tx, {
    projectId,
    author: actors.member,
    id: clearance,
    numbers: undefined,
    onlyTokenId: null,
  })
  await moveProposal(tx, projectId, clearance, { proposed: 9, decided: 8 })

  const lines = autumnLines(chosen.autumn, promptId)
  const autumn = await propose(tx, shop, actors.writer, 'Better texts for the season', lines)
  await moveProposal(tx, projectId, autumn, { proposed: 2, decided: 2 })
}

function on(daysAgo: number, products: NewProduct[]): { sku: string; daysAgo: number }[] {
  return products.map(({ sku }) => ({ sku, daysAgo }))
}

function sellingPrice({ sku, price }: NewProduct): { sku: string; price: number | null } {
  return { sku, price }
}

function propose(
  tx: Transaction,
  { projectId, ruleset }: Shop,
  author: Author,
  title: string,
  lines: object[],
): Promise<number> {
  const push = { projectId, author, ruleset, mode: 'upsert' } as const
  const origin = author.source === 'console' ? 'console' : 'api'
  return createProposal(tx, { push, title, origin, tokenId: null }, linesOf(lines))
}

async function apply(tx: Transaction, { projectId, ruleset }: Shop, proposalId: number): Promise<void> {
  const author = { ...actors.member, proposal: proposalId }
  const push = { projectId, author, ruleset, mode: 'upsert' } as const
  const { actor: reviewer } = actors.member
  await applyProposal(tx, { push, proposalId, reviewer, numbers: undefined, overwrite: false })
}

/** Lines of every kind: texts of a prompt, a price, a name, a new product, nothing new, and two that cannot be. */
function autumnLines(products: NewProduct[], promptId: number): object[] {
  const [same, wrong, unknown, renamed, ...written] = products as [
    NewProduct,
    NewProduct,
    NewProduct,
    NewProduct,
  ]
  const provenance = { prompt_id: promptId, version_number: '1.10.0', model: 'sample-writer' }
  return [
    ...(written as NewProduct[]).map(({ sku, description }) => ({
      sku,
      description: description.replace(/[^.]+\.$/, ' Made for the long evenings of the year.').trim(),
      attributes: { season: 'autumn' },
      provenance,
    })),
    { sku: renamed.sku, name: `${renamed.name}, Autumn Edition`, price: roundedPrice(renamed.price, 0.9) },
    {
      sku: 'AUTUMN-1',
      name: 'Blanket of Merino Wool, 130 × 180 cm',
      price: 89,
      status: 'active',
      attributes: { color: 'moss', weight_g: 900 },
    },
    { sku: same.sku, name: same.name },
    { sku: wrong.sku, price: -1 },
    { sku: unknown.sku, status: 'sold' },
  ]
}
