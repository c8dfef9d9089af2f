import type { Page } from 'playwright-core'
import { ageWebhooks } from './sample-webhooks.ts'
import type { Studio } from './studio.ts'

/** A webhook that works and one that does not, as they are after a while. */
export async function takeWebhooks(studio: Studio, page: Page): Promise<void> {
  const { demo, take } = studio
  const path = `/projects/${demo.project}/settings/webhooks`
  await take(page, 'webhooks-empty', path)
  const working = await addWebhook(studio, page, { url: 'https://shop.invalid/catalog-events' })
  const types = ['product.*', 'proposal.*']
  const failing = await addWebhook(studio, page, { url: 'https://stock.invalid/hooks/catalog', types })
  await ageWebhooks(studio.database, demo.project, [working, failing])
  await take(page, 'webhooks', path)
  await take(page, 'webhook-new', path, async () => {
    await page.getByRole('button', { name: 'New webhook' }).click()
    await page.getByRole('dialog').waitFor()
  })
  await take(page, 'webhook', `${path}/${working}`)
  await take(page, 'webhook-parked', `${path}/${failing}`)
  await takeActions(studio, page, `${path}/${working}`, `${path}/${failing}`)
  await take(page, 'webhook-banner', `/projects/${demo.project}`, () =>
    page.getByText('View webhook').waitFor(),
  )
}

async function takeActions({ take }: Studio, page: Page, working: string, failing: string): Promise<void> {
  const choose = async (name: string) => {
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name }).click()
    await page.getByRole('dialog').waitFor()
  }
  await take(page, 'webhook-test', failing, async () => {
    await choose('Test…')
    await page.getByRole('button', { name: 'Send test event' }).click()
    await page.getByText('The receiver did not accept the event').waitFor()
  })
  await take(page, 'webhook-enable', failing, async () => {
    await page.getByRole('button', { name: 'Enable…' }).click()
    await page.getByRole('dialog').waitFor()
  })
  await take(page, 'webhook-delete', failing, () => choose('Delete…'))
  await take(page, 'webhook-replay', working, () => choose('Replay…'))
  await take(page, 'webhook-secret', working, async () => {
    await choose('Rotate secret…')
    await page.getByRole('button', { name: 'Rotate secret', exact: true }).click()
    await page.getByRole('dialog').getByLabel('Secret', { exact: true }).waitFor()
  })
}

/** At an address that does not exist. */
async function addWebhook({ demo, url }: Studio, page: Page, data: object): Promise<number> {
  const path = `/console/api/projects/${demo.project}/webhooks`
  const made = await page.request.post(path, { data, headers: { origin: url } })
  return (await made.json()).id
}
