import { expect, test } from 'vitest'
import { behindDialog, seriousViolations } from './axe.ts'
import { servedConsole } from './console.ts'
import { focused } from './visitors.ts'

const site = servedConsole()

test('an attribute is defined from data, its invalid products are listed, and it is enforced; rules are previewed before they are saved', async () => {
  const { project, call } = await site.service.tenant()
  const products = Array.from({ length: 20 }, (_, index) => ({
    sku: `LAMP-${index}`,
    name: `Lamp number ${index}`,
    status: 'active',
    attributes: {
      [index === 3 ? 'Colour' : 'color']: index % 2 === 0 ? 'brass' : 'black',
      watt: index === 7 ? 'many' : index,
    },
  }))
  await call('/v2/products/bulk', { method: 'POST', body: products })
  const { page, complaints } = await site.signedIn(await site.account({ projects: [project] }))
  await page.goto(`/projects/${project}/attributes`)
  await page.getByRole('button', { name: 'Define color' }).click()
  expect(await page.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('color')
  await page.getByText('black', { exact: true }).last().waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Define attribute' }).click()
  await page.getByText('color defined.').waitFor()
  await page.getByRole('button', { name: 'Define color' }).waitFor({ state: 'detached' })
  await expect.poll(() => focused(page)).toMatch(/^TABLE/)
  await page.getByRole('button', { name: 'Define sale attributes' }).click()
  await page.getByText('Sale attributes defined').waitFor()
  await page.getByRole('cell', { name: 'Sale ends on sale_ends_on' }).waitFor()
  expect((await call('/v2/attributes/sale_price')).body).toMatchObject({ type: 'number', group: 'Sale' })

  await page.getByRole('button', { name: 'Rename to color' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Propose rename' }).click()
  await page.waitForURL(/\/proposals\/\d+$/)
  await page.getByRole('link', { name: 'LAMP-3' }).waitFor()
  await page.goBack()

  await page.getByRole('button', { name: 'Define attribute' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('watt')
  await page.getByLabel('Type').selectOption('Number')
  await page.getByLabel('Minimum').fill('few')
  await page.getByRole('dialog').getByRole('button', { name: 'Define attribute' }).click()
  await page.getByText('Enter a number.').waitFor()
  await page.getByLabel('Minimum').fill('0')
  await page.getByLabel('Unit').fill('W')
  expect(await seriousViolations(page, behindDialog)).toEqual([])
  await page.getByRole('dialog').getByRole('button', { name: 'Define attribute' }).click()
  await page.getByRole('cell', { name: 'Number in W' }).waitFor()
  await page.getByRole('button', { name: 'Show invalid products watt' }).click()
  const offenders = page.getByRole('dialog', { name: 'Products with invalid watt' })
  await offenders
    .getByRole('listitem')
    .filter({ hasText: 'LAMP-7' })
    .getByRole('link', { name: 'Lamp number 7' })
    .waitFor()
  expect(await offenders.getByRole('link', { name: /in the product list/ }).getAttribute('href')).toContain(
    'id__in=',
  )
  await page.keyboard.press('Escape')

  await page.getByRole('button', { name: 'Edit watt' }).click()
  await page.getByLabel('Mode').selectOption('enforce')
  await page.getByRole('button', { name: 'Check products' }).click()
  await page.getByText('Some products violate this definition').waitFor()
  await page.getByRole('dialog').getByText('1 of 20 products').waitFor()
  expect((await call('/v2/attributes/watt')).body.mode).toBe('warn')
  await page.getByRole('button', { name: 'Enforce definition', exact: true }).click()
  await page.getByText('watt saved.').waitFor()
  expect((await call('/v2/attributes/watt')).body).toMatchObject({ mode: 'enforce', unit: 'W', min: 0 })

  await page.getByRole('tab', { name: 'Quality rules' }).click()
  await page.getByText('10 rules, 110 points in total.').waitFor()
  await page.getByRole('row', { name: /The service adds this rule/ }).waitFor()
  await page.getByRole('button', { name: 'Edit description_length' }).click()
  await page.getByLabel('At least').fill('180')
  const message = page.getByLabel('Message')
  await expect
    .poll(() => message.inputValue())
    .toContain('at least 180 characters, not counting markup. Include the material')
  await page.getByLabel('At least').fill('')
  await page.getByLabel('At most').fill('500')
  await expect.poll(() => message.inputValue()).toBe('')
  await message.fill('Short, please: 100 words.')
  await page.getByLabel('At most').fill('600')
  await expect.poll(() => message.inputValue()).toBe('Short, please: 100 words.')
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Edit price_present' }).click()
  await page.getByLabel('Points').fill('x')
  await page.getByRole('button', { name: 'Preview' }).click()
  await page.getByRole('dialog').getByText('Enter a number.').waitFor()
  await page.getByLabel('Points').fill('0')
  await page.getByRole('button', { name: 'Preview' }).click()
  const grades = page.getByRole('table', { name: 'Grades before and after' })
  await grades.waitFor()
  expect(await grades.getByRole('row', { name: 'D 0 19' }).count()).toBe(1)
  expect((await call('/v2/quality-rules')).body.rules[4]).toMatchObject({ code: 'price_present', points: 15 })
  await page.getByRole('button', { name: 'Save rules' }).click()
  await page.getByText('Rules saved.').waitFor()
  await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('content')
  expect((await call('/v2/quality-rules')).body.rules[4]).toMatchObject({ code: 'price_present', points: 0 })
  expect(complaints.filter((one) => !one.includes('422'))).toEqual([])
})
