import { expect, test } from 'vitest'
import { numberEvents } from '../../src/delivery/events/number-events.sql.ts'
import { sql } from '../../src/platform/database/sql.ts'
import { startReceiver } from '../webhook-receiver.ts'
import { behindDialog, seriousViolations } from './axe.ts'
import { servedConsole } from './console.ts'
import { follow } from './visitors.ts'

const site = servedConsole({ isAlone: true, flags: { webhookAllow: ['127.0.0.0/8'] } })

test('a webhook is created, tested, delivers a change, is rotated, gives up, is enabled again, disabled by a user and deleted', async () => {
  const shop = await site.service.tenant()
  const addProduct = async (sku: string) => {
    await shop.call('/v2/products', { method: 'POST', body: { sku, name: 'Stoneware mug' } })
    await numberEvents(site.service.database)
  }
  const receiver = await startReceiver(() => ({ status: 200, body: 'Thank you' }))
  const webhooks = `/projects/${shop.project}/settings/webhooks`
  const { page, complaints } = await site.signedIn(await site.account({ projects: [shop.project] }))
  const dialog = page.getByRole('dialog')
  const readSecret = async () => {
    const secret = (await dialog.getByLabel('Secret', { exact: true }).textContent()) ?? ''
    await page.getByRole('button', { name: 'I have stored it' }).click()
    await dialog.waitFor({ state: 'detached' })
    return secret
  }

  const choose = async (name: string) => {
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name }).click()
  }

  await page.goto(webhooks)
  await page.getByText('No webhooks yet').waitFor()
  await page.getByRole('button', { name: 'New webhook' }).click()
  expect(await seriousViolations(page, behindDialog)).toEqual([])
  await page.getByLabel('URL', { exact: true }).fill('http://10.0.0.1/')
  await page.getByLabel('All events').uncheck()
  await page.getByLabel('Products').check()
  await page.getByLabel('product.stock_changed').uncheck()
  await page.getByRole('button', { name: 'Create webhook' }).click()
  await page.getByText('This must start with https://').waitFor()
  await page.getByLabel('URL', { exact: true }).fill(receiver.url)
  await page.getByRole('button', { name: 'Create webhook' }).click()
  const secret = await readSecret()
  expect(secret).toMatch(/^whsec_/)
  expect(await page.content()).not.toContain(secret)
  receiver.secrets = [secret]
  await page.getByText('product.created, product.updated').waitFor()

  await page.getByRole('link', { name: new URL(receiver.url).host }).click()
  await page.getByRole('button', { name: 'Test…' }).click()
  const webhookPath = `/v2/webhooks/${new URL(page.url()).pathname.split('/').at(-1)}`
  const readWebhook = async (path = '') => (await shop.call(webhookPath + path)).body
  await page.getByRole('button', { name: 'Send test event' }).click()
  await page.getByText('Thank you').waitFor()
  expect(await dialog.getByRole('status').first().textContent()).toMatch(/Status 200 after [\d,]+ ms/)
  await page.getByRole('button', { name: 'Close' }).last().click()

  await page.getByText('No attempts yet').waitFor()
  await addProduct('MUG-1')
  await expect.poll(() => receiver.received.length).toBe(2)
  await expect.poll(() => readWebhook('/attempts').then(({ count }) => count)).toBe(1)
  await page.reload()
  await page.getByRole('table', { name: 'Delivery attempts' }).getByText('product.created').waitFor()

  await page.getByRole('button', { name: 'More actions' }).click()
  const items = page.getByRole('menuitem')
  await items.first().waitFor()
  expect(await items.allTextContents()).toEqual([
    ...['Replay…', 'Edit…', 'Rotate secret…', 'Disable…', 'Delete…'],
  ])
  expect(await seriousViolations(page, behindDialog)).toEqual([])
  await items.filter({ hasText: 'Rotate secret…' }).click()
  await page.getByLabel('Keep the old secret valid for').selectOption('1 hour')
  await page.getByRole('button', { name: 'Rotate secret', exact: true }).click()
  expect(await readSecret()).not.toBe(secret)
  await page.getByText('Also signs events. Expires').waitFor()
  await choose('Replay…')
  const yesterday = await page.getByLabel('Date and time').inputValue()
  expect(Date.now() - Date.parse(yesterday)).toBeLessThan(25 * 3_600_000)
  expect(Date.now() - Date.parse(yesterday)).toBeGreaterThan(23 * 3_600_000)
  await page.getByLabel('Date and time').fill('')
  await page.getByRole('button', { name: 'Replay events', exact: true }).click()
  await page.getByText('Enter a date and time.').waitFor()
  await page.getByLabel('Date and time').fill('2020-01-31T12:00')
  await page.getByRole('button', { name: 'Replay events', exact: true }).click()
  await expect.poll(() => receiver.received.length).toBe(3)
  expect(receiver.unverified).toBe(0)

  // Again if the service records the last delivery only now.
  const isFailing = async () => {
    await site.service.database.query(sql`
      update webhooks set failing_since = now() where project_id = ${shop.project}`)
    await page.reload()
    await page.getByRole('heading', { level: 1 }).waitFor()
    const shown = page.getByText('Failing').first().waitFor({ timeout: 3_000 })
    return shown.then(
      () => true,
      () => false,
    )
  }
  await expect.poll(isFailing).toBe(true)
  await choose('Replay…')
  expect(await page.getByLabel('Deliver events').inputValue()).toBe('failing')
  await page.getByRole('button', { name: 'Replay events', exact: true }).click()
  await expect.poll(() => receiver.received.length).toBe(4)

  receiver.respond = () => 410
  await addProduct('MUG-2')
  await expect.poll(() => receiver.received.length).toBe(5)
  await expect.poll(() => readWebhook().then(({ state }) => state)).toBe('disabled')
  await page.reload()
  await page.getByText('it no longer accepts events').waitFor()
  await follow(page, `/projects/${shop.project}`)
  await page.getByRole('link', { name: 'View webhook' }).waitFor()
  await page.getByRole('link', { name: 'View webhook' }).click()
  receiver.respond = () => 200
  await page.getByRole('button', { name: 'Enable…' }).click()
  await page.getByRole('button', { name: 'Enable webhook', exact: true }).click()
  await expect.poll(() => receiver.delivered().some(({ data }) => data.sku === 'MUG-2')).toBe(true)

  await choose('Disable…')
  await page.getByRole('button', { name: 'Disable webhook' }).click()
  await page.getByText('A user disabled the webhook').waitFor()
  await follow(page, `/projects/${shop.project}`)
  await page.getByRole('link', { name: 'View webhook' }).waitFor({ state: 'detached' })
  await page.goBack()

  await choose('Delete…')
  await page.getByRole('button', { name: 'Delete webhook' }).click()
  await page.getByText('No webhooks yet').waitFor()
  // From the rejected URL.
  expect(complaints).toEqual([expect.stringContaining('422')])
})

test('an operator sees which webhooks are disabled', async () => {
  const { call } = await site.service.tenant()
  const receiver = await startReceiver(() => 410)
  const { body } = await call('/v2/webhooks', { method: 'POST', body: { url: receiver.url } })
  await call('/v2/products', { method: 'POST', body: { sku: 'MUG-1', name: 'Stoneware mug' } })
  await numberEvents(site.service.database)
  await expect.poll(() => receiver.received.length).toBe(1)
  const read = async () => (await call(`/v2/webhooks/${body.id}`)).body.state
  await expect.poll(read).toBe('disabled')
  const { page, complaints } = await site.signedIn(await site.account({ operator: true }))
  await page.goto('/operator/webhooks?state=disabled')
  const row = page.getByRole('row').filter({ hasText: new URL(receiver.url).host })
  await row.getByText('Disabled').waitFor()
  expect(complaints).toEqual([])
})
