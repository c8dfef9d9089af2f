import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { loadConfig } from '../src/config.ts'
import { createDemo, type Demo } from '../src/operations/demo/create-demo.ts'
import { pictureKind } from '../src/operations/demo/demo-pictures.ts'
import { reachServer } from '../src/platform/database/connections/reach-server.ts'
import { openDatabase } from '../src/platform/database/database.ts'
import { migrate } from '../src/platform/database/migrate.ts'
import { type Statement, sql } from '../src/platform/database/sql.ts'
import { rateLimitMemory } from '../src/platform/http/limits/rate-limit.ts'
import { startService } from '../src/service.ts'
import { launchChromium } from '../test/browser/chromium.ts'
import { runBuild } from './build/run-build.ts'
import { ageWebhooks } from './sample-webhooks.ts'

/** Pictures of every page of the console, and of the reference: for the README, and for whoever has changed a page and wants to see it. */
const { values: options } = parseArgs({
  options: {
    out: { type: 'string', default: 'docs/images' },
    width: { type: 'string', default: '1280' },
    dark: { type: 'boolean', default: false },
    port: { type: 'string', default: '8080' },
  },
})

/** Images below the visible part load when they are needed. */
const imagesAreShown = `[...document.images].every((image) => image.complete || image.getBoundingClientRect().top > innerHeight)`

const folder = mkdtempSync(join(tmpdir(), 'catalog-screenshots-'))
chmodSync(folder, 0o755)
mkdirSync(options.out, { recursive: true })
runBuild()
const server = await reachServer({ dataDirectory: folder })
const database = openDatabase({ connection: server.connection, poolSize: 2, statementTimeoutSeconds: 0 })
await migrate(database)
const demo = (await createDemo(database)) as Demo
const locked = demo.locked_project as number
const service = await startService({
  config: loadConfig({ port: Number(options.port), logLevel: 'silent', media: join(folder, 'media') }, {}),
  connection: server.connection,
  rateLimits: rateLimitMemory(),
})
const browser = await launchChromium()
try {
  await untilPicturesAreLoaded()
  await takeAll()
} finally {
  await browser.close()
  await service.drain()
  await database.close()
  await server.release()
  rmSync(folder, { recursive: true, force: true })
}

/** The demo loads its pictures in the background. */
async function untilPicturesAreLoaded(): Promise<void> {
  const unfinished = sql`select from jobs where kind = ${pictureKind} and failed_at is null limit 1`
  while ((await database.query(unfinished)).length > 0) await sleep(500)
}

async function takeAll(): Promise<void> {
  const nobody = await visitor()
  const member = await visitor(demo.sign_ins.member)
  const operator = await visitor(demo.sign_ins.operator)
  await take(nobody, 'sign-in', '/sign-in')
  await take(nobody, 'reference', '/docs#operation/listProducts', () =>
    nobody.getByRole('button', { name: 'Test request' }).waitFor(),
  )
  await take(member, 'overview', `/projects/${demo.project}`)
  const products = `/projects/${demo.project}/products`
  await take(member, 'products', `${products}?status=active&attributes__color__isnull=false&page_size=20`)
  await take(member, 'products-sheet', `${products}?status=active&edit=1&page_size=20`, async () => {
    await member.getByRole('gridcell').first().waitFor()
    for (const key of ['ArrowRight', 'ArrowRight', 'ArrowRight', '9', ',', '9', 'Enter', '?', 'Enter'])
      await member.keyboard.press(key)
    await member.getByText('2 unsaved changes').waitFor()
  })
  await take(member, 'products-views', `${products}?status=active&in_stock=false`, async () => {
    await member.getByRole('button', { name: 'View: Sold out' }).click()
    await member.getByRole('dialog').waitFor()
    await member.waitForLoadState('networkidle')
  })
  await take(member, 'products-edit', `${products}?search=lamp`, async () => {
    await member.getByLabel('Select all rows on this page').check()
    await member.getByRole('button', { name: 'Edit…' }).click()
    await member.getByRole('dialog').waitFor()
  })
  await take(member, 'duplicates', `/projects/${demo.project}/duplicates`)
  await take(
    member,
    'compare',
    `/projects/${demo.project}/compare?ids=${await idsOf('LIG-BUL-0029', 'LIG-BUL-0004')}`,
  )
  await take(member, 'palette', products, async () => {
    await member.keyboard.press('ControlOrMeta+k')
    await member.getByRole('combobox', { name: 'Jump to' }).fill('lamp')
    await member.getByText('7 results').waitFor()
  })
  await take(member, 'palette-open', products, async () => {
    await member.keyboard.press('ControlOrMeta+k')
    await member.getByRole('listbox').waitFor()
  })
  await take(member, 'keys', products, async () => {
    await member.keyboard.press('?')
    await member.getByRole('dialog').waitFor()
  })
  const work = `/projects/${demo.project}/worklist`
  await take(member, 'worklist', `${work}?quality_rule=description_length`)
  await take(member, 'worklist-attributes', `${work}?quality_rule=attribute_count`)
  await take(member, 'worklist-rules', work)
  await take(member, 'worklist-done', `${work}?quality_rule=name_case&sku=none`)
  const product = await idOf(sql<{ id: number }>`
    select id from products where project_id = ${demo.project} and product_type = 'configurable' order by id limit 1`)
  const changed = await idOf(sql<{ id: number }>`
    select id from products where project_id = ${demo.project} order by version desc, id limit 1`)
  await take(member, 'product', `${products}/${product}?from=product_type%3Dconfigurable`)
  await take(member, 'product-history', `${products}/${changed}?view=history`)
  await take(member, 'product-new', `${products}/new?duplicate=${product}`)
  const root = await idOf(sql<{ id: number }>`
    select id from categories where project_id = ${demo.project} and parent_id is null order by id limit 1`)
  await take(member, 'categories', `/projects/${demo.project}/categories?category=${root}`, async () => {
    await member.getByRole('tree').focus()
    await member.keyboard.press('Home')
    await member.keyboard.press('ArrowRight')
    await member.getByRole('treeitem', { level: 2 }).first().waitFor()
  })
  await takeMedia(member, `/projects/${demo.project}/media`)
  const attributes = `/projects/${demo.project}/attributes`
  await take(member, 'attributes', attributes)
  await take(member, 'attributes-enforce', attributes, async () => {
    await member.getByRole('button', { name: 'Edit brand' }).click()
    await member.getByLabel('Mode').selectOption('enforce')
    await member.getByRole('button', { name: 'Check products' }).click()
    await member.getByRole('dialog').getByRole('status').scrollIntoViewIfNeeded()
  })
  await take(member, 'quality-rules', `${attributes}?tab=rules`, async () => {
    await member.getByRole('button', { name: 'Edit description_length' }).click()
    await member.getByLabel('At least').fill('300')
    await member.getByRole('button', { name: 'Preview' }).click()
    await member.getByRole('table', { name: 'Grades before and after' }).scrollIntoViewIfNeeded()
  })
  const proposals = `/projects/${demo.project}/proposals`
  const [open, conflicting] = [await proposalIn('open'), await proposalIn('partly_applied')]
  await take(member, 'proposals', proposals)
  await take(member, 'proposal', `${proposals}/${open}`)
  await take(member, 'proposal-conflicts', `${proposals}/${conflicting}`)
  await take(member, 'proposal-apply', `${proposals}/${open}`, async () => {
    await member.getByRole('button', { name: 'Apply', exact: true }).click()
    await member.getByRole('dialog').getByText('products change').waitFor()
  })
  await take(member, 'proposal-overwrite', `${proposals}/${conflicting}?state=conflict`, async () => {
    await member.getByLabel('Select all on this page').click()
    await member.getByRole('button', { name: 'Overwrite with proposed values' }).click()
    await member.getByRole('dialog').waitFor()
  })
  await take(member, 'proposal-applied', `${proposals}/${open}`, async () => {
    await member.getByRole('button', { name: 'Apply', exact: true }).click()
    await member.getByRole('button', { name: /^Apply \d/ }).click()
    await member.getByRole('button', { name: 'Undo' }).waitFor()
  })
  const prompts = `/projects/${demo.project}/prompts`
  const writer = await idOf(sql<{ id: number }>`
    select id from prompts where project_id = ${demo.project} order by id limit 1`)
  const prompt = `${prompts}/${writer}`
  await take(member, 'prompts', prompts)
  await take(member, 'prompt', prompt)
  await take(member, 'prompt-compare', `${prompt}?compare=1.8.0..1.9.0`)
  await take(member, 'prompt-try', `${prompt}?view=try&product=${product}`)
  await take(member, 'prompt-outcomes', `${prompt}?view=outcomes`)
  await take(member, 'prompt-labels', `${prompt}?view=labels`)
  await take(member, 'prompt-new', `${prompts}/new`)
  await take(member, 'prompts-empty', `/projects/${locked}/prompts`)
  await take(member, 'prompt-edit', `${prompt}?view=edit`, async () => {
    const text = member.getByRole('textbox', { name: 'Text' })
    await text.fill((await text.inputValue()).replace('60', '70'))
    await member.getByText('Changes since').waitFor()
  })
  await take(member, 'prompt-label', prompt, async () => {
    await member.getByRole('button', { name: 'Set label…' }).click()
    await member.getByRole('combobox', { name: 'Label' }).fill('production')
    await member.getByText('moves from version').waitFor()
  })
  await takeImport(member, `/projects/${demo.project}/import`)
  await take(member, 'api-access', `/projects/${demo.project}/settings/api-access`)
  await take(member, 'api-access-locked', `/projects/${locked}/settings/api-access`)
  await takeWebhooks(member, operator)
  await take(member, 'account', '/account')
  await take(member, 'members', `/projects/${demo.project}/settings/members`)
  await take(member, 'notifications', `/projects/${demo.project}`, async () => {
    await member
      .getByRole('button', { name: /^Notifications/ })
      .first()
      .click()
    await member.getByRole('dialog', { name: 'Notifications' }).waitFor()
  })

  await take(member, 'api-access-requested', `/projects/${await projectWith('open')}/settings/api-access`)
  await take(operator, 'access-requests', '/operator/access-requests')
  await take(operator, 'operator-projects', '/operator/projects')
  await take(operator, 'operator-project', `/operator/projects/${demo.project}`)
  await take(operator, 'users', '/operator/users')
  await take(operator, 'user-invite', '/operator/users', async () => {
    await operator.getByRole('button', { name: 'New user' }).click()
    await operator.getByRole('dialog').waitFor()
  })
  await take(operator, 'audit', '/operator/audit')
  await take(
    member,
    'token-once',
    `/projects/${await projectWith('approved')}/settings/api-access`,
    async () => {
      await member.getByRole('button', { name: /^Show token/ }).click()
      await member.getByRole('dialog').waitFor()
    },
  )
}

/** At an address that is nowhere. */
async function addWebhook(member: Page, data: object): Promise<number> {
  const path = `/console/api/projects/${demo.project}/webhooks`
  const made = await member.request.post(path, { data, headers: { origin: service.url } })
  return (await made.json()).id
}

/** A webhook that works and one that does not, as they are after a while. */
async function takeWebhooks(member: Page, operator: Page): Promise<void> {
  const path = `/projects/${demo.project}/settings/webhooks`
  await take(member, 'webhooks-empty', path)
  const working = await addWebhook(member, { url: 'https://shop.invalid/catalog-events' })
  const types = ['product.*', 'proposal.*']
  const failing = await addWebhook(member, { url: 'https://stock.invalid/hooks/catalog', types })
  await ageWebhooks(database, demo.project, [working, failing])
  await take(member, 'webhooks', path)
  await take(member, 'webhook-new', path, async () => {
    await member.getByRole('button', { name: 'New webhook' }).click()
    await member.getByRole('dialog').waitFor()
  })
  await take(member, 'webhook', `${path}/${working}`)
  await take(member, 'webhook-parked', `${path}/${failing}`)
  const choose = async (name: string) => {
    await member.getByRole('button', { name: 'More actions' }).click()
    await member.getByRole('menuitem', { name }).click()
  }
  for (const [name, action] of Object.entries({ test: 'Test…', enable: 'Enable…', delete: 'Delete…' }))
    await take(member, `webhook-${name}`, `${path}/${failing}`, async () => {
      if (name === 'enable') await member.getByRole('button', { name: action }).click()
      else await choose(action)
      await member.getByRole('dialog').waitFor()
      if (name !== 'test') return
      await member.getByRole('button', { name: 'Send test event' }).click()
      await member.getByText('The receiver did not accept the event').waitFor()
    })
  await take(member, 'webhook-replay', `${path}/${working}`, async () => {
    await choose('Replay…')
    await member.getByRole('dialog').waitFor()
  })
  await take(member, 'webhook-secret', `${path}/${working}`, async () => {
    await choose('Rotate secret…')
    await member.getByRole('button', { name: 'Rotate secret', exact: true }).click()
    await member.getByRole('dialog').getByLabel('Secret', { exact: true }).waitFor()
  })
  await take(member, 'webhook-banner', `/projects/${demo.project}`, () =>
    member.getByText('View webhook').waitFor(),
  )
  await take(operator, 'operator-webhooks', '/operator/webhooks')
}

/** The files of the project, one of them in detail. */
async function takeMedia(page: Page, path: string): Promise<void> {
  await take(page, 'media', path)
  await take(page, 'media-file', path, async () => {
    await page
      .getByRole('button', { name: /^Image,/ })
      .first()
      .click()
    await page.getByRole('dialog').waitFor()
    await page.waitForLoadState('networkidle')
  })
}

/** The steps of an import: no file yet, its columns, what was rejected. */
async function takeImport(page: Page, path: string): Promise<void> {
  const rows = [
    'Item number;Title;Unit price;Colour;Stock;Category;Supplier',
    'LAMP-901;Table lamp Aurora;59,90;sand;12;Home > Lighting;Northlight',
    'LAMP-902;Floor lamp Aurora;149;black;4;Home > Lighting;Northlight',
    'LAMP-903;Pendant lamp Aurora;on request;white;7;Home > Lighting;Northlight',
    'LAMP-904;;39,50;white;20;Home > Lighting;Northlight',
  ]
  const file = { name: 'autumn-lamps.csv', mimeType: 'text/csv', buffer: Buffer.from(rows.join('\n')) }
  await take(page, 'import', path)
  await page.getByLabel('File to import').setInputFiles(file)
  await page.getByLabel('Field for “Colour”').selectOption({ label: 'Attribute…' })
  await page.getByLabel('Attribute for “Colour”').fill('color')
  await save(page, 'import-columns', true)
  await page.getByRole('button', { name: 'Create proposal' }).click()
  await page.getByRole('heading', { name: 'rejected lines' }).waitFor()
  await save(page, 'import-rejected', true)
}

async function visitor(account?: { email: string; password: string }): Promise<Page> {
  const context = await browser.newContext({
    baseURL: service.url,
    viewport: { width: Number(options.width), height: 800 },
    colorScheme: options.dark ? 'dark' : 'light',
    reducedMotion: 'reduce',
  })
  if (account !== undefined)
    await context.request.post('/console/auth/sign-in/email', {
      data: account,
      headers: { origin: service.url },
    })
  return context.newPage()
}

async function take(page: Page, name: string, path: string, act?: () => Promise<void>): Promise<void> {
  await page.goto(path)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.waitForLoadState('networkidle')
  await act?.()
  while (!(await page.evaluate(imagesAreShown))) await sleep(50)
  await save(page, name, act === undefined)
}

/** With a palette, which makes a file less than half as large. */
async function save(page: Page, name: string, fullPage: boolean): Promise<void> {
  const file = join(options.out, `${name}.png`)
  await sharp(await page.screenshot({ fullPage }))
    .png({ palette: true, effort: 10 })
    .toFile(file)
  console.log(file)
}

/** The id of what a statement finds first in the demo. */
async function idOf(statement: Statement<{ id: number }>): Promise<number> {
  const [row] = await database.query(statement)
  if (row === undefined) throw new Error(`the demo lacks what a picture shows: ${statement.text}`)
  return row.id
}

async function idsOf(...skus: string[]): Promise<string> {
  const rows = await database.query(
    sql<{
      id: number
    }>`select id from products where project_id = ${demo.project} and sku = any(${skus}::text[]) order by id`,
  )
  return rows.map(({ id }) => id).join(',')
}

function proposalIn(state: string): Promise<number> {
  return idOf(sql<{ id: number }>`
    select id from proposals where project_id = ${demo.project} and state = ${state} order by id limit 1`)
}

/** The project whose request for API access is in this state. */
function projectWith(state: string): Promise<number> {
  return idOf(
    sql<{
      id: number
    }>`select project_id as id from access_requests where state = ${state} order by id limit 1`,
  )
}
