import { expect, test } from 'vitest'
import { behindDialog, seriousViolations } from './axe.ts'
import { servedConsole } from './console.ts'
import { follow } from './visitors.ts'

const site = servedConsole()

test('an operator makes a project and a member of it; the password is shown once and opens that project alone', async () => {
  const { page, complaints } = await site.signedIn(await site.account({ operator: true }))
  const other = await site.service.tenant()
  await page.goto('/operator/projects')
  await page.getByRole('button', { name: 'New project' }).first().click()
  await page.getByRole('button', { name: 'Create project' }).click()
  await page.getByText('Give the project a name.').waitFor()
  expect(await seriousViolations(page, behindDialog)).toEqual([])
  await page.getByLabel('Name').fill('Flower stall')
  await page.getByRole('button', { name: 'Create project' }).click()
  await page.getByRole('heading', { name: 'Flower stall', level: 1 }).waitFor()

  await page.getByRole('link', { name: 'Users' }).click()
  await page.getByRole('button', { name: 'New user' }).click()
  await page.getByLabel('Email').fill('member@example.com')
  await page.getByLabel('Role in Flower stall').selectOption('manager')
  expect(await seriousViolations(page, behindDialog)).toEqual([])
  await page.getByRole('button', { name: 'Create user' }).click()
  const password =
    (await page.getByRole('dialog').getByLabel('Password', { exact: true }).textContent()) ?? ''
  await page.getByRole('button', { name: 'I have stored it' }).click()
  expect(await page.content()).not.toContain(password)
  expect(complaints).toEqual([])

  const member = await site.signedIn({ email: 'member@example.com', password })
  await member.page.goto('/')
  await member.page.getByRole('heading', { name: 'Flower stall', level: 1 }).waitFor()
  await follow(member.page, `/projects/${other.project}`)
  await member.page.getByRole('heading', { name: 'Nothing here' }).waitFor()
  await member.page.goto('/operator/users')
  await member.page.getByRole('heading', { name: 'Nothing here' }).waitFor()

  await page.getByRole('button', { name: 'Reset password of member@example.com' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Reset password' }).click()
  await page.getByRole('button', { name: 'I have stored it' }).click()
  await member.page.goto('/')
  await member.page.getByRole('heading', { name: 'Sign in' }).waitFor()
})

test('plan and limit of a project change at once; what the service refuses is told at its field', async () => {
  const { page } = await site.signedIn(await site.account({ operator: true }))
  const { project, call } = await site.service.tenant({ plan: 'pro' })
  await page.goto(`/operator/projects/${project}`)
  await page.getByLabel('Rate limit').selectOption('A number of its own')
  await page.getByLabel('Requests a second').fill('0')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.getByText('Enter a whole number from 1').waitFor()
  await page.getByLabel('Requests a second').fill('7')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.getByText('7 requests a second').waitFor()
  expect((await call('/v2/project')).body.rate_limit.requests_per_second).toBe(7)
  await page.getByLabel('API access').selectOption('Off, whatever the plan says')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.getByText('Locked', { exact: true }).waitFor()
  expect((await call('/v2/project')).status).toBe(403)
})
