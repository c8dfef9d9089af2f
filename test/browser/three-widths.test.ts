import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { requireSecondFactor } from '../../src/access/second-factors/manage-second-factor.ts'
import { isLong } from '../faults/scale.ts'
import { seriousViolations } from './axe.ts'
import { servedConsole } from './console.ts'
import { shownSecret, totpNow } from './second-factors.ts'
import { follow, overflow } from './visitors.ts'

// The long form requires a second factor of all managers.
const site = servedConsole({ isAlone: isLong })
const appearances = [
  { width: 1440, colorScheme: 'dark' },
  { width: 1024, colorScheme: 'light' },
  { width: 390, colorScheme: 'dark' },
] as const
type Appearance = (typeof appearances)[number]

/** The short form runs one journey at one width; other tests run the rest on desktop. */
const longOnly = isLong ? appearances : []
const shortAppearances = appearances.filter((one) => isLong || one.width === 1024)

const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true }).click()
const fits = async (page: Page) => expect(await page.evaluate(overflow), page.url()).toBe(0)
/** A tab asks for notifications when it becomes visible. */
const becomeVisible = (page: Page) =>
  page.evaluate(`document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))`)

async function show(page: Page, { width, colorScheme }: Appearance): Promise<void> {
  await page.setViewportSize({ width, height: 800 })
  await page.emulateMedia({ colorScheme })
}

async function enter(appearance: Appearance) {
  const { project, call } = await site.service.tenant()
  const lines = ['MUG-1', 'MUG-2'].map((sku) => ({ sku, name: `Stoneware mug ${sku}`, price: 12 }))
  await call('/v2/products/bulk', { method: 'POST', body: lines })
  const { page, complaints } = await site.signedIn(await site.account({ projects: [project] }))
  await show(page, appearance)
  return { project, call, page, complaints, products: `/projects/${project}/products` }
}

test.each(shortAppearances)(
  'at $width pixels, in $colorScheme mode, a product is opened from the list, saved, edited in the list, and compared',
  async (appearance) => {
    const { page, products, call, project, complaints } = await enter(appearance)
    await page.goto(`${products}?ordering=sku`)
    await page.getByRole('link', { name: 'MUG-1' }).first().click()
    await page.getByRole('textbox', { name: 'Price' }).fill('14')
    await press(page, /^Save/)
    await page.getByText('Saved').first().waitFor()
    await fits(page)
    if (appearance.width > 900) await expectMenuAboveToast(page)
    await page.getByRole('link', { name: 'Back to products' }).click()
    await press(page, 'Edit in list')
    await page.getByRole('gridcell', { name: 'MUG-1', exact: true }).click()
    for (const key of ['ArrowRight', 'C', 'u', 'p', 'Enter']) await page.keyboard.press(key)
    await press(page, /^Save 1 change/)
    await expect.poll(async () => (await call('/v2/products?sku=MUG-1')).body.results[0].name).toBe('Cup')
    await fits(page)
    expect(await seriousViolations(page)).toEqual([])
    const { results } = (await call('/v2/products?ordering=sku')).body
    const ids = results.map(({ id }: { id: number }) => id)
    await follow(page, `/projects/${project}/compare?ids=${ids}`)
    await press(page, 'Copy to the other Price of MUG-1')
    await press(page, /^Propose changes/)
    await page.getByRole('heading', { name: 'Copied values: MUG-2' }).waitFor()
    await fits(page)
    expect(complaints).toEqual([])
  },
)

test.each(longOnly)(
  'at $width pixels, in $colorScheme mode, a manager invites a member, and the bell shows what the member proposes',
  async (appearance) => {
    const { page, project } = await enter(appearance)
    await page.goto(`/projects/${project}/settings/members`)
    await press(page, 'Invite member')
    await page.getByRole('textbox', { name: 'Email' }).fill(`editor-${appearance.width}@shop.example`)
    await page.getByRole('combobox', { name: 'Role' }).selectOption('editor')
    await press(page, 'Create invitation link')
    const link = (await page.locator('output').textContent()) as string
    await press(page, /^I have|^Done|^Close/)
    await fits(page)
    const member = await site.visit()
    await show(member.page, appearance)
    await member.page.goto(link)
    await member.page.getByLabel('New password', { exact: true }).fill('a long password')
    await member.page.getByLabel('Repeat new password').fill('a long password')
    await fits(member.page)
    await press(member.page, 'Set password and sign in')
    await member.page.waitForURL(`**/projects/${project}`)
    await member.context.request.post(`/console/api/projects/${project}/proposals?title=Autumn`, {
      data: [{ sku: 'MUG-1', price: 11 }],
      headers: { origin: site.url },
    })
    await becomeVisible(page)
    await press(page, 'Notifications, 1 unread')
    expect(await seriousViolations(page)).toEqual([])
    await page.getByRole('link', { name: /“Autumn” waits for review/ }).click()
    await page.getByRole('heading', { name: 'Autumn', level: 1 }).waitFor()
    await fits(page)
  },
)

test.each(longOnly)(
  'at $width pixels, in $colorScheme mode, a required second factor is set up and asked for at the next sign-in',
  async (appearance) => {
    const { project } = await site.service.tenant()
    const account = await site.account({ projects: [project] })
    const { email, password } = account
    const { page } = await site.signedIn(account)
    await show(page, appearance)
    await requireSecondFactor(site.service.database, { name: 'tests' }, ['manager'])
    await page.goto(`/projects/${project}`)
    await press(page, 'Set up app')
    await page.getByLabel('Current password').fill(password)
    await press(page, 'Continue')
    await page.getByRole('img', { name: 'QR code for your authenticator app' }).waitFor()
    await fits(page)
    const secret = await shownSecret(page)
    await page.getByLabel('Code that the app shows').fill(await totpNow(secret, 0))
    await press(page, 'Confirm code')
    await press(page, 'I stored the codes')
    await page.getByRole('heading', { name: 'Test', level: 1 }).waitFor()
    await requireSecondFactor(site.service.database, { name: 'tests' }, [])

    const { page: next } = await site.visit()
    await show(next, appearance)
    await next.goto('/sign-in')
    await next.getByLabel('Email').fill(email)
    await next.getByLabel('Password', { exact: true }).fill(password)
    await press(next, 'Sign in')
    await next.getByLabel('Code', { exact: true }).fill(await totpNow(secret, 1))
    await fits(next)
    await press(next, 'Continue')
    await next.waitForURL(`**/projects/${project}`)
  },
)

/** A notification that overlaps the open menu is behind it. */
async function expectMenuAboveToast(page: Page): Promise<void> {
  await page.getByRole('button', { name: /Your account/ }).click()
  const menu = page.getByRole('menu')
  await menu.waitFor()
  const layer = (selector: string) =>
    page.evaluate(`Number(getComputedStyle(document.querySelector('${selector}')).zIndex)`)
  expect(await layer('[role=menu]')).toBeGreaterThan(
    (await layer('.mantine-Notifications-root[data-position=bottom-left]')) as number,
  )
  await page.keyboard.press('Escape')
  await menu.waitFor({ state: 'hidden' })
}
