import type { Database, Transaction } from '../database/database.ts'
import { sql } from '../database/sql.ts'
import { createProducts } from '../products/create-product.ts'
import type { NewProduct } from '../products/product-input.schema.ts'
import { createProject } from '../projects/manage-project.ts'
import { listProjects, type Project } from '../projects/project.sql.ts'
import { labelPrompt } from '../prompts/label-prompt.ts'
import { insertPrompt } from '../prompts/prompt.sql.ts'
import { insertPromptVersion } from '../prompts/prompt-version.sql.ts'
import { defaultRuleset } from '../quality/ruleset.ts'
import { issueToken, revokeToken } from '../tokens/manage-token.ts'
import { listTokens } from '../tokens/token.sql.ts'
import { generatePassword } from '../users/password.ts'
import { giveSignIn, type SignIn } from './demo-accounts.ts'
import { demoProducts } from './demo-products.ts'
import { type DemoPrompt, readDemoPrompts } from './demo-prompts.ts'

/** Who made the demo, in the audit trail and in the history of its products. */
const demo = { name: 'demo' }
const author = { actor: demo.name, source: 'cli' } as const
const operator = { email: 'operator@demo.example', name: 'Demo operator', operator: true }
const member = { email: 'member@demo.example', name: 'Demo member' }
const shopName = 'Demo shop'
const lockedName = 'Demo without API access'
const tokenName = 'Demo'
const demoLock = 4_270_014

export type Demo = {
  project: number
  locked_project: number | null
  token: string
  products: number
  sign_ins: { operator: SignIn; member: SignIn }
}

/** The demo on an empty database, or a fresh token for the one that is there; the last demo token ends. */
export async function makeDemo(database: Database): Promise<Demo | undefined> {
  const passwords = await Promise.all([generatePassword(), generatePassword()])
  return database.transaction(async (tx) => {
    // Two first starts at once make one demo.
    await tx.query(sql`select pg_advisory_xact_lock(${demoLock})`)
    const projects = await listProjects(tx)
    const known = projects.find(({ is_demo, name }) => is_demo && name === shopName)
    const knownLocked = projects.find(({ is_demo, name }) => is_demo && name === lockedName)
    if (known === undefined && projects.length > 0) return undefined
    const { shop, locked, products } =
      known === undefined ? await fill(tx) : { shop: known, locked: knownLocked, products: 0 }
    const project_ids = [shop, locked].flatMap((project) => project?.id ?? [])
    return {
      project: shop.id,
      locked_project: locked?.id ?? null,
      token: await replaceDemoToken(tx, shop.id),
      products,
      sign_ins: {
        operator: await giveSignIn(tx, demo, operator, passwords[0]),
        member: await giveSignIn(tx, demo, { ...member, project_ids }, passwords[1]),
      },
    }
  })
}

async function fill(tx: Transaction): Promise<{ shop: Project; locked: Project; products: number }> {
  const shop = await createProject(tx, demo, { name: shopName, plan: 'pro', isDemo: true })
  const locked = await createProject(tx, demo, {
    name: lockedName,
    plan: 'free',
    isDemo: true,
  })
  const turns = demoProducts()
  const products = await addProducts(tx, shop.id, turns)
  for (const prompt of readDemoPrompts()) await addPrompt(tx, shop.id, prompt)
  // Enough for the console's locked preview of the API to show the project's own products.
  const isTent = ({ sku }: NewProduct) => sku.startsWith('OUT-TEN')
  const tents = turns.map((turn) => turn.filter(isTent).map((tent) => ({ ...tent, links: {} })))
  await addProducts(tx, locked.id, tents)
  return { shop, locked, products }
}

async function addProducts(tx: Transaction, projectId: number, turns: NewProduct[][]): Promise<number> {
  let count = 0
  for (const turn of turns) {
    const creations = turn.map((input) => ({ author, ruleset: defaultRuleset, input }))
    count += (await createProducts(tx, projectId, creations)).length
  }
  return count
}

async function replaceDemoToken(tx: Transaction, projectId: number): Promise<string> {
  const last = (await listTokens(tx, projectId)).filter(
    ({ name, revoked_at }) => name === tokenName && revoked_at === null,
  )
  for (const { id } of last) await revokeToken(tx, demo, id)
  return (await issueToken(tx, demo, projectId, { name: tokenName })).token
}

async function addPrompt(tx: Transaction, projectId: number, prompt: DemoPrompt): Promise<void> {
  const { actor } = author
  const promptId = (await insertPrompt(tx, projectId, prompt)) as number
  for (const version of prompt.versions)
    await insertPromptVersion(tx, projectId, promptId, { ...version, actor })
  for (const [label, versionNumber] of Object.entries(prompt.labels))
    await labelPrompt(tx, { projectId, promptId, label, actor }, versionNumber)
}
