import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Page } from 'playwright-core'
import { approveRequest } from '../src/access-requests/decide-request.ts'
import { requestAccess } from '../src/access-requests/request-access.ts'
import { loadConfig } from '../src/config.ts'
import { ensureConsoleBuilt } from '../src/console/ensure-built.ts'
import { type Database, openDatabase } from '../src/database/database.ts'
import { migrate } from '../src/database/migrate.ts'
import { reachServer } from '../src/database/reach.ts'
import { sql } from '../src/database/sql.ts'
import { type Demo, makeDemo } from '../src/demo/make-demo.ts'
import { rateLimitMemory } from '../src/http/limits/rate-limit.ts'
import { startService } from '../src/service.ts'
import { issueToken } from '../src/tokens/manage-token.ts'
import { launchChromium } from '../test/browser/chromium.ts'

/** Pictures of every page of the console, and of the reference: for the README, and for whoever has changed a page and wants to see it. */
const { values: options } = parseArgs({
  options: {
    out: { type: 'string', default: 'docs/images' },
    width: { type: 'string', default: '1280' },
    dark: { type: 'boolean', default: false },
    port: { type: 'string', default: '8080' },
  },
})
const actor = { name: 'operator@demo.example' }
const savedViews = {
  'Sold out': 'status=active&in_stock=false',
  'To be described': 'quality_rule=description_length&ordering=-updated_at',
  Drafts: 'status=pending&columns=sku,name,updated_at',
}
const purpose = 'Show our products in the new web shop, and push stock from the warehouse every hour.'

const folder = mkdtempSync(join(tmpdir(), 'catalog-screenshots-'))
chmodSync(folder, 0o755)
mkdirSync(options.out, { recursive: true })
await ensureConsoleBuilt(console.error)
const server = await reachServer({ dataDirectory: folder })
const database = openDatabase({ connection: server.connection, poolSize: 2, statementTimeoutSeconds: 0 })
await migrate(database)
const demo = (await makeDemo(database)) as Demo
const locked = demo.locked_project as number
await addLife(database)
const service = await startService({
  config: loadConfig({ port: Number(options.port), logLevel: 'silent' }, {}),
  connection: server.connection,
  rateLimits: rateLimitMemory(),
})
const browser = await launchChromium()
try {
  await takeAll()
} finally {
  await browser.close()
  await service.drain()
  await database.close()
  await server.release()
  rmSync(folder, { recursive: true, force: true })
}

async function takeAll(): Promise<void> {
  const nobody = await visitor()
  const member = await visitor(demo.sign_ins.member)
  const operator = await visitor(demo.sign_ins.operator)
  const access = `/projects/${locked}/settings/api-access`
  await take(nobody, 'sign-in', '/sign-in')
  await take(nobody, 'reference', '/docs#operation/listProducts', () =>
    nobody.getByRole('button', { name: 'Test Request' }).waitFor(),
  )
  await take(member, 'overview', `/projects/${demo.project}`)
  const products = `/projects/${demo.project}/products`
  await take(member, 'products', `${products}?status=active&attributes__color__isnull=false&page_size=20`)
  for (const [name, query] of Object.entries(savedViews))
    await member.request.post(`/console/api${products.replace(/products$/, 'views')}`, {
      data: { name, query },
      headers: { origin: service.url },
    })
  await take(member, 'products-views', `${products}?status=active&in_stock=false`, async () => {
    await member.getByRole('button', { name: 'View: Sold out' }).click()
    await member.getByRole('dialog').waitFor()
    await member.waitForLoadState('networkidle')
  })
  await take(member, 'products-edit', `${products}?search=lamp`, async () => {
    await member.getByLabel('Select all rows of this page').check()
    await member.getByRole('button', { name: 'Edit…' }).click()
    await member.getByRole('dialog').waitFor()
  })
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
  const [product] = await database.query(sql<{ id: number }>`
    select id from products where project_id = ${demo.project} and product_type = 'configurable' order by id limit 1`)
  await take(member, 'product', `${products}/${product?.id}?from=product_type%3Dconfigurable`)
  await take(member, 'product-history', `${products}/${product?.id}?view=history`)
  await take(member, 'product-new', `${products}/new?duplicate=${product?.id}`)
  await take(
    member,
    'categories',
    `/projects/${demo.project}/categories?category=${await addTaxonomy()}`,
    async () => {
      await member.getByRole('tree').focus()
      await member.keyboard.press('Home')
      await member.keyboard.press('ArrowRight')
      await member.getByRole('treeitem', { level: 2 }).first().waitFor()
    },
  )
  const attributes = `/projects/${demo.project}/attributes`
  await take(member, 'attributes', attributes)
  await take(member, 'attributes-enforce', attributes, async () => {
    await member.getByRole('button', { name: 'Edit material' }).click()
    await member.getByLabel('Mode').selectOption('enforce')
    await member.getByRole('button', { name: 'Check, then enforce' }).click()
    await member.getByRole('dialog').getByRole('status').scrollIntoViewIfNeeded()
  })
  await take(member, 'quality-rules', `${attributes}?tab=rules`, async () => {
    await member.getByRole('button', { name: 'Edit description_length' }).click()
    await member.getByLabel('At least').fill('300')
    await member.getByRole('button', { name: 'Preview' }).click()
    await member.getByRole('table', { name: 'Grades before and after' }).scrollIntoViewIfNeeded()
  })
  const proposals = `/projects/${demo.project}/proposals`
  const { open, conflicting } = await addProposals()
  await take(member, 'proposals', proposals)
  await take(member, 'proposal', `${proposals}/${open}`)
  await take(member, 'proposal-conflicts', `${proposals}/${conflicting}`)
  await take(member, 'proposal-apply', `${proposals}/${open}`, async () => {
    await member.getByRole('button', { name: 'Apply', exact: true }).click()
    await member.getByRole('dialog').getByText('products change').waitFor()
  })
  await take(member, 'proposal-overwrite', `${proposals}/${conflicting}?state=conflict`, async () => {
    await member.getByLabel('Select this page').click()
    await member.getByRole('button', { name: 'Overwrite with ours' }).click()
    await member.getByRole('dialog').waitFor()
  })
  await take(member, 'proposal-applied', `${proposals}/${open}`, async () => {
    await member.getByRole('button', { name: 'Apply', exact: true }).click()
    await member.getByRole('button', { name: /^Apply \d/ }).click()
    await member.getByRole('button', { name: 'Undo' }).waitFor()
  })
  const prompts = `/projects/${demo.project}/prompts`
  const prompt = `${prompts}/${await addOutcomes()}`
  await take(member, 'prompts', prompts)
  await take(member, 'prompt', prompt)
  await take(member, 'prompt-compare', `${prompt}?compare=1.1.1..2.0.0`)
  await take(member, 'prompt-try', `${prompt}?view=try&product=${product?.id}`)
  await take(member, 'prompt-outcomes', `${prompt}?view=outcomes`)
  await take(member, 'prompt-labels', `${prompt}?view=labels`)
  await take(member, 'prompt-new', `${prompts}/new`)
  await take(member, 'prompts-empty', `/projects/${locked}/prompts`)
  await take(member, 'prompt-edit', `${prompt}?view=edit`, async () => {
    const text = member.getByRole('textbox', { name: 'Text' })
    await text.fill((await text.inputValue()).replace('60', '70'))
    await member.getByText('What changes since').waitFor()
  })
  await take(member, 'prompt-label', prompt, async () => {
    await member.getByRole('button', { name: 'Set label…' }).click()
    await member.getByRole('combobox', { name: 'Label' }).fill('production')
    await member.getByText('moves from version').waitFor()
  })
  await takeImport(member, `/projects/${demo.project}/import`)
  await take(member, 'api-access', `/projects/${demo.project}/settings/api-access`)
  await take(member, 'api-access-locked', access)
  await take(member, 'account', '/account')

  const contact = { name: 'A member', email: demo.sign_ins.member.email, purpose }
  const request = await requestAccess(database, locked, contact.email, contact)
  await take(member, 'api-access-requested', access)
  await take(operator, 'access-requests', '/operator/access-requests')
  await approveRequest(database, actor, request.id)
  await take(operator, 'operator-projects', '/operator/projects')
  await take(operator, 'operator-project', `/operator/projects/${demo.project}`)
  await take(operator, 'users', '/operator/users')
  await take(operator, 'user-invite', '/operator/users', async () => {
    await operator.getByRole('button', { name: 'New user' }).click()
    await operator.getByRole('dialog').waitFor()
  })
  await take(operator, 'audit', '/operator/audit')
  await take(member, 'token-once', access, async () => {
    await member.getByRole('button', { name: /^Show token/ }).click()
    await member.getByRole('dialog').waitFor()
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
  await page.getByLabel('What “Colour” becomes').selectOption({ label: 'Attribute…' })
  await page.getByLabel('Attribute of “Colour”').fill('color')
  await page.screenshot({ path: join(options.out, 'import-columns.png'), fullPage: true })
  await page.getByRole('button', { name: 'Propose' }).click()
  await page.getByRole('heading', { name: 'rejected lines' }).waitFor()
  await page.screenshot({ path: join(options.out, 'import-rejected.png'), fullPage: true })
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
  const file = join(options.out, `${name}.png`)
  await page.screenshot({ path: file, fullPage: act === undefined })
  console.log(file)
}

async function callApi(path: string, body?: unknown, method = body === undefined ? 'GET' : 'POST') {
  const headers = { authorization: `Bearer ${demo.token}`, 'content-type': 'application/json' }
  const sent = body === undefined ? {} : { body: JSON.stringify(body) }
  const answer = await fetch(`${service.url}/v2${path}`, { method, headers, ...sent })
  if (!answer.ok) throw new Error(await answer.text())
  // biome-ignore lint/suspicious/noExplicitAny: answers of many shapes
  return (await answer.json()) as any
}

type Shown = { id: number; sku: string; name: string; description: string; price: number }

/** Proposals as programs and people make them: one to look at, one that somebody else came between. */
async function addProposals(): Promise<{ open: number; conflicting: number }> {
  const list = await callApi(
    '/products?expand=detail&product_type=simple&ordering=sku&page_size=9&status=active',
  )
  const products: Shown[] = list.results
  const provenance = { prompt_id: 1, version_number: '1.0.0', model: 'a-model' }
  const [first, second, third, fourth, ...rest] = products as [Shown, Shown, Shown, Shown, ...Shown[]]
  const open = await callApi('/proposals?title=Better%20texts%20for%20autumn', [
    {
      sku: first.sku,
      description: rewritten(first.description),
      attributes: { season: 'autumn' },
      provenance,
    },
    {
      sku: second.sku,
      name: `${second.name}, new`,
      price: second.price + 1,
      categories: [{ name: 'Autumn' }],
    },
    { sku: third.sku, description: '' },
    { sku: fourth.sku, price: -1, status: 'sold' },
    { sku: 'AUTUMN-1', name: 'Blanket of wool', price: 49, categories: [{ name: 'Autumn' }] },
    ...rest.map(({ sku, price }) => ({ sku, price: Math.round(price * 90) / 100 })),
  ])
  const conflicting = await callApi('/proposals?title=Prices%20of%20October', [
    ...rest.map(({ sku, price }) => ({ sku, price: price + 2 })),
  ])
  await callApi(
    '/products/bulk',
    rest.slice(0, 2).map(({ sku, price }) => ({ sku, price: price + 5 })),
  )
  await callApi(`/proposals/${conflicting.id}/apply`, {})
  const filter = {
    title: 'Winter sale',
    filter: 'status=active',
    edits: [{ field: 'price', op: 'multiply', value: 0.8 }],
  }
  await callApi('/proposals/from-filter', filter)
  return { open: open.id, conflicting: conflicting.id }
}

/** A prompt whose versions wrote texts, of which some were changed since. */
async function addOutcomes(): Promise<number> {
  const [prompt] = (await callApi('/prompts?search=title')).results
  const { results } = await callApi('/products?product_type=simple&ordering=-sku&page_size=12')
  const write = (version_number: string, text: string, rows: Shown[]) => {
    const provenance = { prompt_id: prompt.id, version_number, model: 'a-model' }
    const lines = rows.map(({ sku, name }) => ({ sku, short_description: `${name}${text}`, provenance }))
    return callApi('/products/bulk', lines)
  }
  await write('1.0.0', '.', results)
  await write('1.1.0', ', made to last.', results.slice(0, 7))
  await write('2.0.0', ', made to last and easy to care for.', results.slice(0, 3))
  return prompt.id
}

/** Definitions that some products do not fit. Returns a category to show. */
async function addTaxonomy(): Promise<number> {
  await callApi('/attributes', { name: 'weight_g', label: 'Weight', type: 'number', unit: 'g', min: 1 })
  const allowed = ['steel', 'oak', 'cotton', 'linen', 'ceramic', 'glass']
  const required_for = { product_types: ['simple'] }
  await callApi('/attributes', { name: 'material', label: 'Material', type: 'choice', allowed, required_for })
  await callApi('/attributes', { name: 'dimmable', type: 'boolean', mode: 'enforce' })
  const tree = await callApi('/categories?parent__isnull=true&page_size=1')
  return tree.results[0].id
}

function rewritten(text: string): string {
  return `${text.replaceAll(/\b(and|with)\b/g, 'as well as')} Made for cold evenings.`
}

/** A month of use by a few tokens, which were used lately then, so that the pages look as they do after a month. */
async function addLife(target: Database): Promise<void> {
  await issueToken(target, actor, demo.project, { name: 'Web shop', scopes: ['products:read'] })
  await issueToken(target, actor, demo.project, { name: 'Warehouse', scopes: ['products:write'] })
  await target.query(sql`
    insert into project_usage (project_id, day, requests)
    select ${demo.project}, (now() at time zone 'utc')::date - ago, round(2400 + 900 * sin(ago / 3.5) - 45 * ago)
    from generate_series(1, 26) as ago`)
  await target.query(sql`
    update products set created_at = made.at,
      updated_at = case when id % 3 = 0 then greatest(made.at, now() - id / 3 * 5 % 24 * interval '1 day') else made.at end
    from (select id as product, now() - id * 7 % 61 * interval '1 day' as at from products) as made
    where id = made.product and project_id = ${demo.project} and product_type = 'simple'`)
  await target.query(sql`
    update tokens set created_at = now() - interval '27 days', last_used_at = now() - id % 7 * interval '9 minutes'
    where project_id = ${demo.project}`)
  await target.query(sql`
    update product_history as change set changed_at = product.created_at from products as product
    where product.project_id = ${demo.project} and change.project_id = product.project_id and change.product_id = product.id and change.version = 1`)
}
