import type { Database, Transaction } from '../database/database.ts'
import { sql } from '../database/sql.ts'
import { createProducts } from '../products/create-product.ts'
import { createProject } from '../projects/manage-project.ts'
import { listProjects, type Project } from '../projects/project.sql.ts'
import { pointLabel } from '../prompts/label-prompt.ts'
import { insertPrompt } from '../prompts/prompt.sql.ts'
import { insertPromptVersion } from '../prompts/prompt-version.sql.ts'
import { issueToken } from '../tokens/issue-token.ts'
import { revokeTokensNamed } from '../tokens/token.sql.ts'
import { type DemoSignIns, drawSignIns, giveSignIns } from './demo-accounts.ts'
import { demoProducts } from './demo-products.ts'
import { type DemoPrompt, readDemoPrompts } from './demo-prompts.ts'

const author = { actor: 'demo', source: 'cli' } as const
const tokenName = 'Demo'
const demoLock = 4_270_014
const lockedProducts = 40

export type Demo = {
  project: number
  locked_project: number | null
  token: string
  products: number
  sign_ins: DemoSignIns
}

/** The demo on an empty database, or a fresh token for the one that is there; the last demo token ends. */
export async function makeDemo(database: Database): Promise<Demo | undefined> {
  const { signIns, hashes } = await drawSignIns()
  return database.transaction(async (tx) => {
    // Two first starts at once make one demo.
    await tx.query(sql`select pg_advisory_xact_lock(${demoLock})`)
    const projects = await listProjects(tx)
    const [known, locked] = projects.filter(({ is_demo }) => is_demo)
    if (known === undefined && projects.length > 0) return undefined
    const made = known === undefined ? await fill(tx) : { shop: known, locked, products: 0 }
    await revokeTokensNamed(tx, made.shop.id, tokenName)
    const { token } = await issueToken(tx, made.shop.id, { name: tokenName })
    const { shop, locked: free, products } = made
    await giveSignIns(
      tx,
      hashes,
      [shop, free].flatMap((project) => project?.id ?? []),
    )
    return { project: shop.id, locked_project: free?.id ?? null, token, products, sign_ins: signIns }
  })
}

async function fill(tx: Transaction): Promise<{ shop: Project; locked: Project; products: number }> {
  const shop = await createProject(tx, { name: 'Demo shop', plan: 'pro', isDemo: true })
  const locked = await createProject(tx, { name: 'Demo without API access', plan: 'free', isDemo: true })
  const creations = demoProducts().map((input) => ({ author, input }))
  const products = await createProducts(tx, shop.id, creations)
  for (const prompt of readDemoPrompts()) await addPrompt(tx, shop.id, prompt)
  // Enough for the console's locked preview of the API to show the project's own products.
  await createProducts(tx, locked.id, creations.slice(0, lockedProducts))
  return { shop, locked, products: products.length }
}

async function addPrompt(tx: Transaction, projectId: number, prompt: DemoPrompt): Promise<void> {
  const { actor } = author
  const promptId = (await insertPrompt(tx, projectId, prompt)) as number
  for (const version of prompt.versions)
    await insertPromptVersion(tx, projectId, promptId, { ...version, actor })
  for (const [label, versionNumber] of Object.entries(prompt.labels))
    await pointLabel(tx, { projectId, promptId, label, actor }, versionNumber)
}
