import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { createProject } from '../../src/access/projects/manage-project.ts'
import { sql } from '../../src/platform/database/sql.ts'
import { isLong } from '../faults/scale.ts'
import type { Tenant } from '../harness.ts'
import { insertSampleRun } from '../run-shop.ts'
import { behindDialog, frame, seriousViolations } from './axe.ts'
import { type Account, servedConsole } from './console.ts'
import { chooseItem, follow, overflow, type Visitor } from './visitors.ts'

const site = servedConsole({ isAlone: true })
let member: Account
let operator: Account
let open: number
let locked: number
let parent: number
let variantId: number
let proposal: number
let prompt: number
let category: number
let webhook: number
let run: number
const longName = 'L'.repeat(255)

beforeAll(async () => {
  const shop = await site.service.tenant()
  open = shop.project
  await shop.call('/v2/products', {
    method: 'POST',
    body: { sku: 'MUG-1', name: 'Stoneware mug', status: 'active' },
  })
  const family = {
    sku: 'TEE',
    name: 'Linen shirt',
    product_type: 'configurable',
    variant_axes: ['size', 'color'],
    categories: [{ path: ['Clothes', 'Shirts'] }],
    attributes: { material: 'linen', 'care marks': ['cold', 'line dry'], organic: true, weight_g: 180 },
    media: [{ url: 'https://images.example/shirt.jpg', alt: 'The shirt' }],
    links: { related: [{ sku: 'MUG-1' }, { sku: 'NOT-YET' }] },
  }
  const made = (await shop.call('/v2/products', { method: 'POST', body: family })).body
  parent = made.id
  category = made.categories[0].id
  const definition = {
    name: 'material',
    type: 'choice',
    allowed: ['linen'],
    label: longName,
    mode: 'enforce',
  }
  await shop.call('/v2/attributes', { method: 'POST', body: definition })
  await shop.call('/v2/categories', { method: 'POST', body: { name: longName } })
  const variant = {
    sku: 'TEE-M',
    name: longName,
    parent: { sku: 'TEE' },
    attributes: { size: 'M', color: 'sand' },
  }
  variantId = (await shop.call('/v2/products', { method: 'POST', body: variant })).body.id
  await shop.call(`/v2/products/${parent}`, { method: 'PATCH', body: { name: 'Linen shirt, washed' } })
  await shop.call('/v2/views/de', {
    method: 'PUT',
    body: { label: longName.slice(155), locale: 'de', requires: ['name', 'price'] },
  })
  // The service checks products only after other processes know the view.
  await site.service.database.query(
    sql`update scoring_jobs set is_marking = false where project_id = ${open}`,
  )
  proposal = await proposeConflict(shop)
  prompt = await addPrompt(shop)
  webhook = await addWebhook(shop)
  run = await addRun(shop)
  locked = (
    await createProject(
      site.service.database,
      { name: 'tester' },
      { name: longName, plan: 'free', currency: 'EUR' },
    )
  ).id
  member = await site.account({ projects: [open, locked] })
  operator = await site.account({ operator: true })
  await site.service.database.query(sql`update users set name = ${longName} where email = ${member.email}`)
})

/** A proposal with a line of each kind: applied, in conflict, rejected. */
async function proposeConflict({ call }: Tenant): Promise<number> {
  const send = (path: string, body?: unknown, method = 'POST') => call(`/v2${path}`, { method, body })
  const lines = [
    { sku: 'MUG-1', name: `Mug ${longName.slice(10)}`, description: 'Heavy. '.repeat(99) },
    {
      sku: 'MUG-2',
      name: 'Cup',
      attributes: { [longName.slice(200)]: 'grey' },
      categories: [{ name: 'Cups' }],
    },
    { sku: 'MUG-3', name: 'Bowl', price: -1 },
  ]
  const { id } = (await send('/proposals?title=Autumn', lines)).body
  await send('/products/bulk', [{ sku: 'MUG-1', name: 'Pot' }])
  await send(`/proposals/${id}/apply`)
  await send('/proposals?title=Winter', [{ sku: 'MUG-1', price: 5 }])
  return id
}

/** A prompt with two versions, a label and an outcome. */
async function addPrompt({ call }: Tenant): Promise<number> {
  const send = (path: string, body: unknown, method = 'POST') => call(`/v2${path}`, { method, body })
  const { id } = (await send('/prompts', { name: 'Titles', prompt_text: 'About {{name}}' })).body
  const prompt_text = `A title\n{{name}}, {{attributes.${longName.slice(200)}}}\n${longName}`
  await send(`/prompts/${id}/versions`, { prompt_text, message: longName })
  await send(`/prompts/${id}/labels/production`, { version_number: '1.0.0' }, 'PUT')
  const provenance = { prompt_id: id, version_number: '1.0.0' }
  await send('/products/bulk', [{ sku: 'MUG-1', name: 'A pot', provenance }])
  return id
}

/** A disabled webhook with an attempt and a failed delivery. */
async function addWebhook({ call, project }: Tenant): Promise<number> {
  const body = { url: `https://${longName.slice(200)}.invalid/${longName}`, types: ['product.*', 'prompt.*'] }
  const { id } = (await call('/v2/webhooks', { method: 'POST', body })).body
  const error = `the name is unknown: ${longName}`
  await site.service.database.query(sql`
    update webhooks set disabled_reason = 'failing', disabled_at = now(), last_error = ${error}, last_error_at = now() where id = ${id}`)
  await site.service.database.query(sql`
    insert into webhook_attempts (project_id, webhook_id, at, event_id, type, try, error, milliseconds)
    values (${project}, ${id}, now(), 'evt_0', 'product.created', 11, ${error}, 15000)`)
  await site.service.database.query(sql`
    insert into webhook_parked (project_id, webhook_id, event_id, cursor, number, position, type, tries, status, error)
    values (${project}, ${id}, 'evt_0', '0', 1, 1, 'product.created', 5, 400, ${error})`)
  return id
}

/** A run that paused after a failed call, and a provider with long names. */
async function addRun({ project, call }: Tenant): Promise<number> {
  const model = { name: longName.slice(100), input_price: 1, output_price: 1, max_output_tokens: 100 }
  await call('/v2/ai-providers/house', {
    method: 'PUT',
    body: {
      ...{ kind: 'openai-compatible', base_url: `https://${longName.slice(200)}.invalid/v1` },
      ...{ currency: 'EUR', models: [model] },
    },
  })
  const id = await insertSampleRun(site.service.database, project, prompt)
  const error = `The provider returned ${longName}`
  await site.service.database.query(sql`
    update runs set state = 'paused', reason = 'failures_in_row', finished_at = null, budget = 5000000 where id = ${id}`)
  await site.service.database.query(sql`
    insert into run_calls (project_id, run_id, place, product_id, state, error, base, finished_at)
    values (${project}, ${id}, 2, ${parent}, 'failed', ${error}, '{}', now())`)
  return id
}

type Role = 'visitor' | 'member' | 'operator'
type Place = [address: string, heading: string]
/** Neighbors have different headings, so that a heading proves that its page is open. */
const pages: Record<Role, Place[]> = {
  operator: [
    ['/operator/access-requests', 'Access requests'],
    ['/operator/projects', 'Projects'],
    ['/operator/projects/{open}', 'Test'],
    ['/operator/projects/{locked}', longName],
    ['/operator/users?kind=nobody&page=abc', 'Users'],
    ['/operator/audit', 'Audit trail'],
    ['/operator/webhooks', 'Webhooks'],
    ['/operator/nowhere', 'Page not found'],
  ],
  visitor: [['/sign-in', 'Sign in']],
  member: [
    ['/projects/{open}', 'Test'],
    ['/projects/{open}/products', 'Products'],
    ['/projects/{open}/worklist?quality_rule=description_length', 'Description length'],
    ['/projects/{open}/worklist', 'Fix products one by one'],
    ['/projects/{open}/duplicates', 'Duplicates'],
    ['/projects/{open}/compare?ids={parent},{variant}', 'Compare products'],
    ['/projects/{locked}', longName],
    ['/projects/{locked}/products', 'Products'],
    ['/projects/{open}/products/{parent}', 'Linen shirt, washed'],
    ['/projects/{open}/products/new', 'New product'],
    ['/projects/{open}/products/{parent}?view=history', 'Linen shirt, washed'],
    ['/projects/{open}/categories?category={category}', 'Categories'],
    ['/projects/{open}/media', 'Media'],
    ['/projects/{open}/attributes', 'Attributes and rules'],
    ['/projects/{open}/proposals', 'Proposals'],
    ['/projects/{open}/attributes?tab=rules', 'Attributes and rules'],
    ['/projects/{open}/proposals/{proposal}', 'Autumn'],
    ['/projects/{open}/prompts', 'Prompts'],
    ['/projects/{open}/prompts/{prompt}', 'Titles'],
    ['/projects/{open}/runs', 'Runs'],
    ['/projects/{open}/settings/ai-providers', 'AI providers'],
    ['/projects/{locked}/runs', 'Runs'],
    ['/projects/{open}/import', 'Import'],
    ['/projects/{open}/runs/{run}', 'Run '],
    ['/projects/{open}/settings/api-access', 'API access'],
    ['/projects/{open}/settings/agents', 'Connect an agent'],
    ['/projects/{open}/settings/members', 'Members'],
    ['/projects/{open}/settings/markets', 'Languages and markets'],
    ['/projects/{open}/markets/de/worklist', `Worklist for ${longName.slice(155)}`],
    ['/projects/{open}/settings/webhooks', 'Webhooks'],
    ['/projects/{open}/products/{variant}?market=de', longName],
    ['/projects/{open}/prompts/{prompt}?compare=1.0.0..1.1.0', 'Titles'],
    ['/projects/{open}/settings/webhooks/{webhook}', '.invalid'],
    ['/account', 'Account'],
    ['/projects/{open}/prompts/{prompt}?view=edit', 'Titles'],
    ['/projects/{locked}/settings/api-access', 'API access'],
    ['/projects/{locked}/settings/agents', 'Connect an agent'],
    ['/projects/{locked}/settings/ai-providers', 'AI providers'],
    ['/projects/{open}/prompts/{prompt}?view=try&version=1.0.0&product={parent}', 'Titles'],
    ['/projects/999999999', 'Page not found'],
    ['/projects/{open}/prompts/{prompt}?view=labels', 'Titles'],
    ['/projects/{open}/prompts/new', 'New prompt'],
    ['/projects/{open}/prompts/{prompt}?view=outcomes', 'Titles'],
    ['/projects/{open}/products?edit=1', 'Products'],
  ],
}

/** The first URL of a role is loaded, the others are opened from another page. */
const missing: Partial<Record<Role, string[]>> = {
  operator: ['/operator/projects/abc', '/operator/nowhere', '/projects/abc'],
  member: [
    '/projects/{open}/products/abc',
    '/projects',
    '/projects/999999999/settings/api-access',
    '/projects/{open}/nowhere',
    '/projects/{open}/proposals/0',
    '/projects/{open}/prompts/abc',
    '/projects/{open}/settings/webhooks/abc',
    '/projects/{open}/runs/abc',
    '/operator/users',
  ],
}

const filled = (address: string) =>
  address
    .replace('{open}', String(open))
    .replace('{locked}', String(locked))
    .replace('{parent}', String(parent))
    .replace('{variant}', String(variantId))
    .replace('{proposal}', String(proposal))
    .replace('{prompt}', String(prompt))
    .replace('{category}', String(category))
    .replace('{webhook}', String(webhook))
    .replace('{run}', String(run))

function openAs(role: Role): Promise<Visitor> {
  return role === 'visitor' ? site.visit() : site.signedIn({ member, operator }[role])
}

/** Loads the page, or navigates to it from another one. */
function go(page: Page, address: string): Promise<unknown> {
  return page.url().startsWith(site.url) ? follow(page, address) : page.goto(address)
}

async function waitForPage(page: Page, heading: string): Promise<void> {
  await page.getByRole('heading', { name: heading, level: 1 }).waitFor()
  await expect.poll(() => page.getByText('Loading…').count()).toBe(0)
}

const desktop = { width: 1280, height: 800 }
const tablet = { width: 1024, height: 800 }
const mobile = { width: 390, height: 800 }
type Theme = 'light' | 'dark'

test('an unreachable service and a failed list show what to do; the page loads when the service responds, and the list can be retried; reduced motion stops loading animations', async () => {
  const { page } = await openAs('operator')
  const sent = /\/console\/api\/session$|\/operator\/users$/
  await page.route(sent, (route) =>
    route.request().isNavigationRequest() ? route.continue() : route.abort(),
  )
  await page.goto('/operator/users')
  await page.getByText('The service is not responding.').waitFor()
  expect(await seriousViolations(page)).toEqual([])
  const problem = { title: 'Away', detail: 'The database is away; try again in a moment.', status: 503 }
  const checked = Promise.withResolvers<void>()
  await page.route('**/operator/users?*', async (route) => {
    await checked.promise
    await route.fulfill({ status: 503, json: problem })
  })
  await page.unroute(sent)
  await page.locator('.mantine-Skeleton-root').first().waitFor()
  await expect.poll(() => page.evaluate('document.getAnimations().length')).toBe(0)
  checked.resolve()
  await page.getByText(problem.detail).waitFor()
  expect(await seriousViolations(page, frame)).toEqual([])
  await page.unroute('**/operator/users?*')
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByText(operator.email).first().waitFor()
})

describe.each(Object.entries(pages) as [Role, Place[]][])('for %s', (role, places) => {
  const addresses = missing[role]
  if (addresses !== undefined)
    test('missing pages show an error inside the frame', () => checkMissingPages(role, addresses))
  const name = 'every page is accessible, fits on desktop, tablet and mobile, and logs no browser errors'
  test(name, { timeout: 300_000 }, () => checkEveryPage(role, places))
})

async function checkMissingPages(role: Role, addresses: string[]): Promise<void> {
  const { page, complaints } = await openAs(role)
  const nothing = page.getByRole('main').getByRole('heading', { name: 'Page not found', level: 1 })
  for (const [index, address] of addresses.map(filled).entries()) {
    if (index > 0) {
      await follow(page, '/account')
      await page.getByRole('heading', { name: 'Account', level: 1 }).waitFor()
    }
    await go(page, address)
    await nothing.waitFor()
    await page.getByRole('navigation').first().waitFor()
    expect.soft(complaints, address).toEqual([])
  }
  await page.setViewportSize(mobile)
  expect(await page.evaluate(overflow)).toBe(0)
  await page.getByRole('button', { name: 'Open navigation' }).click()
  await page.getByRole('navigation').first().waitFor()
}

/**
 * Each page opens at the last width of the previous page, and the theme changes once, because a change renders everything
 * again. axe takes most of the time, so it runs once per page, at the first width: in light and dark mode, on desktop and
 * mobile. The short form checks one page of each screen with it.
 */
async function checkEveryPage(role: Role, places: Place[]): Promise<void> {
  const { page, complaints } = await openAs(role)
  const screens = new Set<string>()
  const [first, second]: [Theme, Theme] = role === 'operator' ? ['dark', 'light'] : ['light', 'dark']
  let widths = [desktop, tablet, mobile]
  await page.setViewportSize(desktop)
  await setTheme(page, first)
  for (const [index, [address, heading]] of places.entries()) {
    if (index > 0 && index === Math.floor(places.length / 2)) await setTheme(page, second)
    await go(page, filled(address))
    await waitForPage(page, heading)
    const isNew = !screens.has(screenOf(address))
    screens.add(screenOf(address))
    for (const size of widths) {
      const appearance = `${address} at ${size.width} pixels`
      await page.setViewportSize(size)
      if (size === widths[0] && (isNew || isLong)) {
        const leftOut = index > 0 ? frame : undefined
        expect.soft(await seriousViolations(page, leftOut), appearance).toEqual([])
      }
      expect.soft(await page.evaluate(overflow), appearance).toBe(0)
    }
    widths = widths.toReversed()
    expect.soft(complaints, address).toEqual([])
  }
  if (role !== 'visitor') await checkPalette(page)
}

/** A page without its tabs, filters and projects. */
function screenOf(address: string): string {
  return address.replace('{locked}', '{open}').replace(/\?.*/, '')
}

async function setTheme(page: Page, colorScheme: Theme): Promise<void> {
  await page.emulateMedia({ colorScheme })
  if (page.url().startsWith(site.url))
    await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor()
}

/** Works over any page, here over the last one: in light mode for operators, in dark mode for members. */
async function checkPalette(page: Page): Promise<void> {
  await page.setViewportSize(mobile)
  await page.getByRole('button', { name: 'Jump to…' }).click()
  await page.getByRole('listbox').waitFor()
  expect.soft(await seriousViolations(page, behindDialog), 'palette on mobile').toEqual([])
  for (const size of [mobile, desktop]) {
    await page.setViewportSize(size)
    expect.soft(await page.evaluate(overflow), `palette at ${size.width} pixels`).toBe(0)
  }
}

test('the keyboard reaches the content and opens the account menu', async () => {
  const { page } = await openAs('member')
  await page.goto(`/projects/${open}`)
  await waitForPage(page, 'Test')
  await page.keyboard.press('Tab')
  await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Skip to content')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  await expect.poll(() => page.evaluate('document.activeElement.closest("main") !== null')).toBe(true)
  await page.getByRole('button', { name: /Your account/ }).focus()
  await page.keyboard.press('Enter')
  await chooseItem(page, 'Account')
  await waitForPage(page, 'Account')
})
