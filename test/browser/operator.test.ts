import { expect, test } from 'vitest'
import { createProject } from '../../src/access/projects/manage-project.ts'
import { behindDialog, seriousViolations } from './axe.ts'
import { servedConsole } from './console.ts'
import { chooseItem, follow } from './visitors.ts'

const site = servedConsole({ isAlone: true })
const operatorAt = async (address: string) => {
  const operator = await site.account({ operator: true })
  return { operator, ...(await site.open(operator, address)) }
}

test('an operator creates a project and a member of it; the password is shown once and gives access to that project only', async () => {
  const other = await site.service.tenant()
  const { page, complaints } = await operatorAt('/operator/projects')
  await page.getByRole('button', { name: 'New project' }).first().click()
  await page.getByRole('button', { name: 'Create project' }).click()
  await page.getByText('Enter a project name.').waitFor()
  expect(await seriousViolations(page, behindDialog)).toEqual([])
  await page.getByLabel('Name', { exact: true }).fill('Flower stall')
  await page.getByRole('button', { name: 'Create project' }).click()
  await page.getByRole('heading', { name: 'Flower stall', level: 1 }).waitFor()

  await page.getByRole('link', { name: 'Users' }).click()
  await page.getByRole('button', { name: 'New user' }).click()
  await page.getByLabel('Email', { exact: true }).fill('member@example.com')
  await page.getByLabel('First sign-in').selectOption('password')
  await page.getByPlaceholder('Add a project').fill('stall flow')
  await page.getByRole('option', { name: 'Flower stall' }).click()
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
  await member.page.getByRole('heading', { name: 'Page not found' }).waitFor()
  await follow(member.page, '/account')
  await member.page.getByRole('heading', { name: 'Account', level: 1 }).waitFor()
  await follow(member.page, '/operator/users')
  await member.page.getByRole('heading', { name: 'Page not found' }).waitFor()

  await page.getByRole('button', { name: 'More actions for member@example.com' }).click()
  await chooseItem(page, 'Disable')
  await page.getByRole('dialog').getByRole('button', { name: 'Disable user' }).click()
  await page.getByRole('table').getByText('Disabled', { exact: true }).waitFor()
  await member.page.goto('/')
  await member.page.getByRole('heading', { name: 'Sign in' }).waitFor()
})

test('one of many projects is found by its name, in the switcher and in the admin area, and opened by its URL', async () => {
  const create = (name: string) =>
    createProject(site.service.database, { name: 'tester' }, { name, plan: 'free', currency: 'EUR' })
  // More projects than the switcher and one page of the list show.
  for (let number = 0; number < 24; number += 1) await create(`Shop ${number}`)
  const { id: garden } = await create('حديقة الزهور')
  const { page } = await operatorAt('/operator/projects?page=99')
  await page.getByRole('button', { name: 'Go to the first page' }).click()
  await page.getByRole('searchbox', { name: 'Search by name or ID' }).fill('الزهور')
  await page.getByRole('link', { name: 'حديقة الزهور' }).waitFor()
  await expect.poll(() => page.getByRole('row').count()).toBe(2)
  await page.getByRole('button', { name: /^Project:/ }).click()
  await page.getByLabel('Search projects').fill('shop 23')
  await chooseItem(page, /^Shop 23/)
  await page.getByRole('heading', { name: 'Shop 23', level: 1 }).waitFor()
  await follow(page, `/projects/${garden}`)
  await page.getByRole('heading', { name: 'حديقة الزهور', level: 1 }).waitFor()
  await follow(page, '/operator/projects/999999')
  await page.getByRole('heading', { name: 'Page not found' }).waitFor()
})

test('changes to plan and limit take effect immediately; fields show the errors of the service', async () => {
  const { project, call } = await site.service.tenant({ plan: 'pro' })
  const { page } = await operatorAt(`/operator/projects/${project}`)
  await page.getByLabel('Rate limit').selectOption('Custom limit')
  await page.getByLabel('Requests per second').fill('0')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.getByText('Enter a whole number from 1').waitFor()
  await page.getByLabel('Requests per second').fill('7')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.getByText(/^7 requests (a|per) second/).waitFor()
  expect((await call('/v2/project')).body.rate_limit.requests_per_second).toBe(7)
  await page.getByLabel('API access').selectOption('Off')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.getByText('1 token stops working').waitFor()
  expect((await call('/v2/project')).status).toBe(200)
  await page.getByRole('button', { name: 'Turn off API access' }).click()
  await page.locator('dl div', { hasText: 'API access' }).getByText('Off', { exact: true }).waitFor()
  await page.locator('dl div', { hasText: 'Rate limit' }).getByText('–', { exact: true }).waitFor()
  expect(await page.getByRole('button', { name: 'Save changes' }).isDisabled()).toBe(true)
  expect((await call('/v2/project')).status).toBe(403)
})

test('an invitation link works once; an operator who gives up the role confirms first', async () => {
  // The last operator cannot give up the role.
  await site.account({ operator: true })
  const { page, operator } = await operatorAt('/operator/users')
  await page.getByRole('button', { name: 'New user' }).click()
  await page.getByLabel('Email', { exact: true }).fill('invited@example.com')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Keep editing' }).click()
  await page.getByRole('button', { name: 'Create user' }).click()
  const link = (await page.getByRole('dialog').getByLabel('Link', { exact: true }).textContent()) ?? ''
  await page.getByRole('button', { name: 'I have stored it' }).click()
  await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('New user')
  await page.getByRole('button', { name: 'More actions for invited@example.com' }).click()
  await chooseItem(page, 'Disable')
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect
    .poll(() => page.evaluate('document.activeElement.ariaLabel'))
    .toBe('More actions for invited@example.com')

  const guest = await site.visit()
  await guest.page.goto('/invitation')
  await guest.page.getByText('The link is incomplete').waitFor()
  await guest.page.goto(link)
  await guest.page.getByText('Set a password for invited@example.com').waitFor()
  expect(await seriousViolations(guest.page)).toEqual([])
  await guest.page.getByLabel('New password', { exact: true }).fill('my very own one')
  await guest.page.getByLabel('Repeat new password', { exact: true }).fill('my very own one')
  await guest.page.getByRole('button', { name: 'Set password and sign in' }).click()
  await guest.page.getByRole('heading', { name: 'No projects yet' }).waitFor()
  expect([guest.page.url(), guest.complaints]).toEqual([`${site.url}/`, []])
  await guest.page.goto(link)
  await guest.page.getByText('This link is invalid or expired').waitFor()
  await follow(guest.page, '/sign-in')
  await guest.page.getByRole('heading', { name: 'No projects yet' }).waitFor()

  await page.reload()
  await page.getByRole('button', { name: 'More actions for invited@example.com' }).click()
  await chooseItem(page, 'Create password link')
  await page.getByRole('dialog', { name: 'Create password link for invited@example.com?' }).waitFor()
  await page.getByRole('button', { name: 'Create password link' }).click()
  await page.getByRole('dialog', { name: 'Password link for invited@example.com' }).waitFor()
  await page.getByRole('button', { name: 'I have stored it' }).click()

  await page.getByRole('searchbox', { name: 'Search by email or name' }).fill(operator.email)
  await expect.poll(() => page.getByRole('row').count()).toBe(2)
  await page.getByRole('button', { name: `Edit ${operator.email}` }).click()
  await page.getByRole('checkbox', { name: 'Operator' }).uncheck()
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.getByText('You lose access to the admin area immediately').waitFor()
  await page.getByRole('button', { name: 'Give up operator role' }).click()
  await page.getByRole('heading', { name: 'No projects yet' }).waitFor()
})
