import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { sql } from '../../src/database/sql.ts'
import { createProject } from '../../src/projects/manage-project.ts'
import { seriousViolations } from './axe.ts'
import { type Account, servedConsole, type Visitor } from './console.ts'

const site = servedConsole()
let member: Account
let operator: Account
let open: number
let locked: number
const longName = 'L'.repeat(255)

beforeAll(async () => {
  const shop = await site.service.tenant()
  open = shop.project
  await shop.call('/v2/products', {
    method: 'POST',
    body: { sku: 'MUG-1', name: 'Stoneware mug', status: 'active' },
  })
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

type Visit = { address: string; heading: string; as: 'nobody' | 'member' | 'operator' }
const pages: Visit[] = [
  { address: '/sign-in', heading: 'Sign in', as: 'nobody' },
  { address: '/projects/{open}', heading: 'Test', as: 'member' },
  { address: '/projects/{locked}', heading: longName, as: 'member' },
  { address: '/projects/{open}/settings/api-access', heading: 'API access', as: 'member' },
  { address: '/projects/{locked}/settings/api-access', heading: 'API access', as: 'member' },
  { address: '/account', heading: 'Account', as: 'member' },
  { address: '/projects/999999999', heading: 'Nothing here', as: 'member' },
  { address: '/operator/access-requests', heading: 'Access requests', as: 'operator' },
  { address: '/operator/projects', heading: 'Projects', as: 'operator' },
  { address: '/operator/projects/{open}', heading: 'Test', as: 'operator' },
  { address: '/operator/projects/{locked}', heading: longName, as: 'operator' },
  { address: '/operator/users', heading: 'Users', as: 'operator' },
  { address: '/operator/audit', heading: 'Audit trail', as: 'operator' },
]

const visitors = new Map<Visit['as'], Visitor>()

/** One visitor a role goes from page to page, as people do; each arrival is a full load. */
async function arrive({ address, heading, as }: Visit): Promise<Visitor> {
  const visitor = visitors.get(as) ?? (await (as === 'nobody' ? site.visit() : site.signedIn(accounts()[as])))
  visitors.set(as, visitor)
  await visitor.page.emulateMedia({ colorScheme: 'light' })
  await visitor.page.setViewportSize({ width: 1280, height: 800 })
  await visitor.page.goto(address.replace('{open}', String(open)).replace('{locked}', String(locked)))
  await settle(visitor.page, heading)
  return visitor
}

const accounts = () => ({ member, operator })

async function settle(page: Page, heading: string): Promise<void> {
  await page.getByRole('heading', { name: heading, level: 1 }).waitFor()
  await expect.poll(() => page.getByText('Loading…').count()).toBe(0)
}

/** Pixels that stick out of the page, or out of what is around a table. */
const overflow = `Math.max(
  document.documentElement.scrollWidth - document.documentElement.clientWidth,
  ...[...document.querySelectorAll('table')].map((table) => table.offsetWidth - table.parentElement.clientWidth),
)`

const missing: Visit[] = [
  { address: '/projects', heading: 'Nothing here', as: 'member' },
  { address: '/projects/999999999/settings/api-access', heading: 'Nothing here', as: 'member' },
  { address: '/projects/{open}/nowhere', heading: 'Nothing here', as: 'member' },
  { address: '/operator/users', heading: 'Nothing here', as: 'member' },
  { address: '/operator/nowhere', heading: 'Nothing here', as: 'operator' },
  { address: '/projects/abc', heading: 'Nothing here', as: 'operator' },
  { address: '/operator/projects/abc', heading: 'Nothing here', as: 'operator' },
]

for (const visit of missing) {
  test(`${visit.address} leads ${visit.as === 'member' ? 'a member' : 'an operator'} nowhere, but not out of the frame`, async () => {
    const { page, complaints } = await arrive(visit)
    await page.getByRole('main').getByRole('heading', { name: 'Nothing here' }).waitFor()
    await page.getByRole('navigation').first().waitFor()
    expect(await seriousViolations(page)).toEqual([])
    await page.setViewportSize({ width: 390, height: 800 })
    expect(await seriousViolations(page)).toEqual([])
    expect(await page.evaluate(overflow)).toBe(0)
    await page.getByRole('button', { name: 'Open navigation' }).click()
    await page.getByRole('navigation').first().waitFor()
    await page.keyboard.press('Escape')
    expect(complaints).toEqual([])
  })
}

for (const visit of pages) {
  test(`${visit.address} keeps nobody out, does not scroll sideways, not on a telephone either, and gives the browser no cause to complain`, async () => {
    const { page, complaints } = await arrive(visit)
    expect(await seriousViolations(page), 'light').toEqual([])
    expect(await page.evaluate(overflow)).toBe(0)
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.locator('html[data-mantine-color-scheme=dark]').waitFor()
    await page.setViewportSize({ width: 390, height: 800 })
    expect(await seriousViolations(page), 'dark and narrow').toEqual([])
    expect(await page.evaluate(overflow)).toBe(0)
    expect(complaints).toEqual([])
  })
}

test('the keyboard alone reaches the content past the navigation, and opens the menu of the account', async () => {
  const { page, context } = await site.signedIn(member)
  await page.goto(`/projects/${open}`)
  await settle(page, 'Test')
  await page.keyboard.press('Tab')
  expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to content')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  expect(await page.evaluate('document.activeElement.textContent')).toContain('Open API access')
  await page.getByRole('button', { name: /Your account/ }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('menuitem', { name: 'Account and password' }).press('Enter')
  await settle(page, 'Account')
  await context.close()
})

test('a service that does not answer, and a list that fails, say what to do and go on when asked', async () => {
  const { page, context } = await site.signedIn(operator)
  await page.route('**/console/api/session', (route) => route.abort())
  await page.goto('/operator/users')
  await page.getByText('The service does not answer.').waitFor()
  expect(await seriousViolations(page)).toEqual([])
  await page.unroute('**/console/api/session')
  const problem = { title: 'Away', detail: 'The database is away; try again in a moment.', status: 503 }
  await page.route('**/operator/users?*', (route) => route.fulfill({ status: 503, json: problem }))
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByText(problem.detail).waitFor()
  expect(await seriousViolations(page)).toEqual([])
  await page.unroute('**/operator/users?*')
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByText(operator.email).first().waitFor()
  await context.close()
})
