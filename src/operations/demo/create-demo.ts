import { createProject } from '../../access/projects/manage-project.ts'
import { listProjects, type Project } from '../../access/projects/project.sql.ts'
import { issueToken, revokeToken } from '../../access/tokens/manage-token.ts'
import { listTokens } from '../../access/tokens/token.sql.ts'
import { generatePassword } from '../../access/users/password.ts'
import { advisoryLocks } from '../../platform/database/advisory-locks.ts'
import type { Database, Transaction } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'
import { requestJob } from '../../platform/jobs/job.sql.ts'
import { prepareSignIn, type SignIn } from './demo-accounts.ts'
import { addNotifications, addRequests, addTokens, saveViews } from './demo-admin-data.ts'
import { moveProject } from './demo-admin-dates.ts'
import { pictureKind } from './demo-pictures.ts'
import { fillLocked, fillShop } from './demo-shop.ts'

/** The actor in the audit trail. */
const demo = { name: 'demo' }
const operator = { email: 'operator@demo.example', name: 'Demo operator', operator: true }
const member = { email: 'member@demo.example', name: 'Demo member' }
/** Shown on every page of the project, so that no one mistakes its numbers for real ones. */
const shopName = 'Demo shop (sample data)'
const formerName = 'Demo shop'
const lockedName = 'Demo without API access'
const tokenName = 'Demo'

export type Demo = {
  project: number
  locked_project: number | null
  token: string
  products: number
  sign_ins: { operator: SignIn; member: SignIn }
}

/** Creates the demo in an empty database. If the demo exists, replaces its token and passwords. */
export async function createDemo(database: Database): Promise<Demo | undefined> {
  const passwords = await Promise.all([generatePassword(), generatePassword()])
  return database.transaction(async (tx) => {
    // Concurrent first starts create one demo.
    await tx.query(sql`select pg_advisory_xact_lock(${advisoryLocks.demo})`)
    const projects = await listProjects(tx)
    const known = projects.find(({ is_demo, name }) => is_demo && (name === shopName || name === formerName))
    const knownLocked = projects.find(({ is_demo, name }) => is_demo && name === lockedName)
    if (known === undefined && projects.length > 0) return undefined
    const { shop, locked, products } =
      known === undefined ? await fill(tx) : { shop: known, locked: knownLocked, products: 0 }
    const project_ids = (await listProjects(tx)).flatMap(({ id, is_demo }) => (is_demo ? id : []))
    const sign_ins = {
      operator: await prepareSignIn(tx, demo, operator, passwords[0]),
      member: await prepareSignIn(tx, demo, { ...member, project_ids }, passwords[1]),
    }
    if (known === undefined) {
      await saveViews(tx, shop.id, member.email)
      await addNotifications(tx, shop.id)
      // Only in the shop: the README imports an export of the other project, and assets belong to one project.
      await requestJob(tx, { projectId: shop.id, kind: pictureKind, key: '' })
    }
    return {
      project: shop.id,
      locked_project: locked?.id ?? null,
      token: await replaceDemoToken(tx, shop.id),
      products,
      sign_ins,
    }
  })
}

async function fill(tx: Transaction): Promise<{ shop: Project; locked: Project; products: number }> {
  const shop = await createProject(tx, demo, { name: shopName, plan: 'pro', isDemo: true })
  const locked = await createProject(tx, demo, { name: lockedName, plan: 'free', isDemo: true })
  for (const { id } of [shop, locked]) await moveProject(tx, id, 119)
  await addTokens(tx, demo, shop.id)
  const products = await fillShop(tx, shop)
  await fillLocked(tx, locked.id)
  await addRequests(tx, demo, member.email)
  return { shop, locked, products }
}

async function replaceDemoToken(tx: Transaction, projectId: number): Promise<string> {
  const last = (await listTokens(tx, projectId)).filter(
    ({ name, revoked_at }) => name === tokenName && revoked_at === null,
  )
  for (const { id } of last) await revokeToken(tx, demo, id)
  return (await issueToken(tx, demo, projectId, { name: tokenName })).token
}
