import { expect, test } from 'vitest'
import { signIn } from '../console-user.ts'
import { scaled } from '../faults/scale.ts'
import { servedConsole } from './console.ts'
import { chooseItem, follow } from './visitors.ts'

const site = servedConsole({ isAlone: true })
test('a member signs in, reaches the requested page, and signs out in all tabs', async () => {
  const { project } = await site.service.tenant()
  const account = await site.account({ projects: [project] })
  const { page, context, complaints } = await site.visit()
  const asked = `/projects/${project}/products?status=active&page_size=20`
  await page.goto(asked)
  await page.getByLabel('Email').fill(account.email)
  await page.getByLabel('Password', { exact: true }).fill(account.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { name: 'Products', level: 1 }).waitFor()
  expect(page.url()).toBe(site.url + asked)

  const otherTab = await context.newPage()
  await otherTab.goto(`/projects/${project}`)
  await otherTab.getByRole('heading', { name: 'Test', level: 1 }).waitFor()

  await page.getByRole('button', { name: /Your account/ }).click()
  await chooseItem(page, 'Sign out')
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await otherTab.getByRole('heading', { name: 'Sign in' }).waitFor()
  expect((await context.request.get('/console/api/session')).status()).toBe(401)
  await page.goto('/')
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  expect(complaints).toEqual([])
})

const otherHosts = scaled(
  ['/\\elsewhere.example'],
  ['https://elsewhere.example/', '//elsewhere.example', '/\\elsewhere.example'],
)

test('the sign-in redirects to no other host', async () => {
  const account = await site.account({})
  const { page, context, complaints } = await site.visit()
  await page.goto('/sign-in')
  for (const next of otherHosts) {
    await context.clearCookies()
    await follow(page, `/sign-in?next=${encodeURIComponent(next)}`)
    await page.getByLabel('Email').fill(account.email)
    await page.getByLabel('Password', { exact: true }).fill(account.password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('button', { name: /Your account/ }).waitFor()
    expect([new URL(page.url()).pathname, complaints]).toEqual(['/', []])
  }
})

test('a wrong password shows an error, and too many attempts block even the right one', async () => {
  const account = await site.account({})
  const { page, context } = await site.visit()
  await page.goto('/sign-in')
  await expect.poll(() => page.evaluate('document.activeElement.type')).toBe('email')
  const attempt = async (password: string) => {
    await page.getByLabel('Email').fill(account.email)
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByRole('button', { name: 'Sign in' }).click()
  }
  const place = () => page.getByRole('button', { name: 'Sign in' }).boundingBox()
  const before = await place()
  await attempt('wrong')
  await page.getByRole('alert').getByText('Incorrect email or password').waitFor()
  expect(await place()).toEqual(before)
  const data = { email: account.email, password: 'wrong' }
  const guess = () =>
    context.request.post('/console/auth/sign-in/email', { data, headers: { origin: site.url } })
  await Promise.all(Array.from({ length: 9 }, guess))
  await attempt(account.password)
  await page.getByRole('alert').getByText('Too many attempts').waitFor()
})

test('a member changes the password; the field shows an error for a wrong current one', async () => {
  const account = await site.account({})
  const { page } = await site.open(account, '/account')
  const change = async (current: string, next: string) => {
    await page.getByLabel('Current password', { exact: true }).fill(current)
    await page.getByLabel('New password', { exact: true }).fill(next)
    await page.getByLabel('Repeat new password', { exact: true }).fill(next)
    await page.getByRole('button', { name: 'Change password' }).click()
  }
  await change('not it at all', 'a-better-password')
  const current = page
    .getByLabel('Current password', { exact: true })
    .and(page.locator('[aria-invalid=true]'))
  await current.waitFor()
  await change(account.password, 'a-better-password')
  await page.getByText('Password changed.').waitFor()
  await site.service.call('/console/auth/sign-in/email', {
    method: 'POST',
    body: { email: account.email, password: 'a-better-password' },
    headers: { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' },
  })
  await page.reload()
  await page.getByText('This session', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'End session Firefox on Linux' }).click()
  await page.getByText('Session ended.').waitFor()
  await expect.poll(() => page.getByText('Firefox on Linux').count()).toBe(0)
  expect((await signIn(site.service, account.email, 'a-better-password')).status).toBe(200)
})
