import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { behindDialog, seriousViolations } from './axe.ts'
import { servedConsole } from './console.ts'
import { focused, follow } from './visitors.ts'

const site = servedConsole()

const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).click()
/** A tab asks for notifications when it becomes visible, and every half minute. */
const becomeVisible = (page: Page) =>
  page.evaluate(`document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))`)

test('a manager invites a member, who joins in another browser, proposes, hears of the decision, shares a view, and is removed', async () => {
  const { project } = await site.service.tenant()
  const manager = await site.signedIn(await site.account({ projects: [project] }))
  await manager.page.goto(`/projects/${project}/settings/members`)
  await press(manager.page, 'Invite member')
  await manager.page.getByRole('textbox', { name: 'Email' }).fill('new.member@shop.example')
  await manager.page.getByRole('combobox', { name: 'Role' }).selectOption('editor')
  expect(await seriousViolations(manager.page, behindDialog)).toEqual([])
  await press(manager.page, 'Create invitation link')
  const link = (await manager.page.locator('output').textContent()) as string
  await press(manager.page, /^I have|^Done|^Close/)
  await manager.page.getByRole('cell', { name: 'new.member@shop.example' }).first().waitFor()
  await expect.poll(() => focused(manager.page)).toMatch(/^BUTTON Invite member/)

  const member = await site.visit()
  await member.page.goto(link)
  await member.page.getByText(/You are invited to join .* as an editor/).waitFor()
  expect(await seriousViolations(member.page)).toEqual([])
  await member.page.getByLabel('New password', { exact: true }).fill('a long password')
  await member.page.getByLabel(/again|Repeat|Confirm/).fill('a long password')
  await press(member.page, 'Set password and sign in')
  await member.page.waitForURL(`**/projects/${project}`)
  expect(await member.page.getByRole('link', { name: 'Members' }).count()).toBe(0)

  const proposed = await member.context.request.post(
    `/console/api/projects/${project}/proposals?title=Autumn`,
    { data: [{ sku: 'A', name: 'Lamp' }], headers: { origin: site.url } },
  )
  expect(proposed.status()).toBe(201)
  await becomeVisible(manager.page)
  await press(manager.page, 'Notifications, 1 unread')
  const list = manager.page.getByRole('dialog', { name: 'Notifications' })
  await list.getByRole('link', { name: /“Autumn” waits for review/ }).waitFor()
  await expect
    .poll(() => manager.page.getByRole('status').allTextContents())
    .toContain('New notification: “Autumn” waits for review')
  expect(await seriousViolations(manager.page, behindDialog)).toEqual([])
  await manager.page.keyboard.press('Escape')
  await expect
    .poll(() => manager.page.evaluate('document.activeElement.ariaLabel'))
    .toBe('Notifications, 1 unread')
  await manager.page.keyboard.press('Enter')
  await list.getByRole('link', { name: /“Autumn” waits for review/ }).click()
  await manager.page.getByRole('heading', { name: 'Autumn', level: 1 }).waitFor()
  await manager.page.getByRole('button', { name: 'Notifications', exact: true }).first().waitFor()
  const apply = `/console/api/projects/${project}/proposals/${(await proposed.json()).id}/apply`
  const applied = await manager.context.request.post(apply, { data: {}, headers: { origin: site.url } })
  expect(applied.status()).toBe(200)

  await becomeVisible(member.page)
  await press(member.page, 'Notifications, 1 unread')
  await member.page.getByRole('link', { name: /“Autumn” was applied/ }).waitFor()
  await press(member.page, 'Mark all as read')
  await member.page.getByRole('button', { name: 'Notifications', exact: true }).first().waitFor()
  // The button is removed with its focus, and Escape still closes the list.
  await expect.poll(() => focused(member.page)).toMatch(/^SECTION/)
  await member.page.keyboard.press('Escape')
  await member.page.getByRole('dialog', { name: 'Notifications' }).waitFor({ state: 'detached' })

  const openViews = async ({ page }: { page: Page }, button: string) => {
    await page.getByRole('button', { name: button, exact: true }).click()
    return page.getByRole('dialog', { name: 'Saved views' })
  }
  const nameView = async ({ page }: { page: Page }, name: string, action: string) => {
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill(name)
    await page.getByLabel('Share with the project').check()
    await page.getByRole('button', { name: action, exact: true }).click()
  }
  const products = `/projects/${project}/products`
  // Both have the list open before the view exists.
  await follow(manager.page, products)
  const before = await openViews(manager, 'Views')
  await before.getByText('No saved views yet').waitFor()
  await manager.page.keyboard.press('Escape')
  await follow(member.page, `${products}?status=pending`)
  await (await openViews(member, 'Views')).getByRole('button', { name: 'Save view…' }).click()
  await nameView(member, 'To check', 'Save view')
  await member.page.getByRole('button', { name: 'View: To check', exact: true }).waitFor()

  const theirs = await openViews(manager, 'Views')
  await theirs.getByRole('link', { name: 'To check Shared 1 product', exact: true }).click()
  await manager.page.waitForURL('**/products?status=pending**')
  const again = await openViews(manager, 'View: To check')
  await again.getByRole('button', { name: 'Edit To check' }).click()
  await nameView(manager, 'To check first', 'Save changes')
  await manager.page.getByRole('button', { name: 'View: To check first', exact: true }).waitFor()
  const own = await openViews(member, 'View: To check')
  await own.getByRole('link', { name: /^To check first Shared/ }).waitFor()
  await member.page.keyboard.press('Escape')

  await follow(manager.page, `/projects/${project}/settings/members`)
  await press(manager.page, 'Remove new.member@shop.example')
  await press(manager.page, 'Remove member')
  await manager.page.getByText('Removed new.member@shop.example (editor)').waitFor()
  await follow(member.page, `/projects/${project}/products`)
  await member.page.waitForURL('**/sign-in')
  expect(manager.complaints).toEqual([])
})

test('an invited user who has an account keeps the password, signs in on the invitation page, and joins the project', async () => {
  const [first, second] = [await site.service.tenant(), await site.service.tenant()]
  const manager = await site.signedIn(await site.account({ projects: [second.project] }))
  const known = await site.account({ projects: [first.project] })
  const invited = await manager.context.request.post(
    `/console/api/projects/${second.project}/members/invitations`,
    { data: { email: known.email, role: 'editor' }, headers: { origin: site.url } },
  )
  const { page } = await site.visit()
  await page.goto((await invited.json()).link)
  await page.getByText(/You are invited to join .* as an editor/).waitFor()
  await page.getByLabel('New password', { exact: true }).fill('a password of another')
  await page.getByLabel(/again|Repeat|Confirm/).fill('a password of another')
  await press(page, 'Set password and sign in')
  await page.getByText('its password did not change').waitFor()
  expect(await seriousViolations(page)).toEqual([])
  await page.getByLabel('Password', { exact: true }).fill('a password of another')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page
    .getByRole('alert')
    .getByText(/Incorrect email or password/)
    .waitFor()
  await page.getByLabel('Password', { exact: true }).fill(known.password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.waitForURL(`**/projects/${second.project}`)
  const { results } = await (await page.request.get('/console/api/projects')).json()
  expect(new Set(results.map(({ id }: { id: number }) => id))).toEqual(
    new Set([first.project, second.project]),
  )
})
