import type { Page } from 'playwright-core'
import { sql } from '../../src/platform/database/sql.ts'
import type { Studio } from './studio.ts'

export async function takeProposals({ demo, take, idOf }: Studio, page: Page): Promise<void> {
  const proposals = `/projects/${demo.project}/proposals`
  const proposalIn = (state: string) =>
    idOf(sql<{ id: number }>`
      select id from proposals where project_id = ${demo.project} and state = ${state} order by id limit 1`)
  const [open, conflicting] = [await proposalIn('open'), await proposalIn('partly_applied')]
  await take(page, 'proposals', proposals)
  await take(page, 'proposal', `${proposals}/${open}`)
  await take(page, 'proposal-conflicts', `${proposals}/${conflicting}`)
  await take(page, 'proposal-apply', `${proposals}/${open}`, async () => {
    await page.getByRole('button', { name: 'Apply', exact: true }).click()
    await page.getByRole('dialog').getByText('products change').waitFor()
  })
  await take(page, 'proposal-overwrite', `${proposals}/${conflicting}?state=conflict`, async () => {
    await page.getByLabel('Select all on this page').click()
    await page.getByRole('button', { name: 'Overwrite with proposed values' }).click()
    await page.getByRole('dialog').waitFor()
  })
  await take(page, 'proposal-applied', `${proposals}/${open}`, async () => {
    await page.getByRole('button', { name: 'Apply', exact: true }).click()
    await page.getByRole('button', { name: /^Apply \d/ }).click()
    await page.getByRole('button', { name: 'Undo' }).waitFor()
  })
}
