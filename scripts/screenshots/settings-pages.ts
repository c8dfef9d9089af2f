import type { Page } from 'playwright-core'
import { sql } from '../../src/platform/database/sql.ts'
import type { Studio } from './studio.ts'

/** API access and the account. */
export async function takeSettings(studio: Studio, page: Page): Promise<void> {
  const { demo, take } = studio
  await take(page, 'api-access', `/projects/${demo.project}/settings/api-access`)
  await take(page, 'agents', `/projects/${demo.project}/settings/agents`)
  await take(page, 'api-access-locked', `/projects/${demo.locked_project}/settings/api-access`)
  await take(
    page,
    'api-access-requested',
    `/projects/${await projectWith(studio, 'open')}/settings/api-access`,
  )
  const approved = await projectWith(studio, 'approved')
  await take(page, 'token-once', `/projects/${approved}/settings/api-access`, async () => {
    await page.getByRole('button', { name: /^Show token/ }).click()
    await page.getByRole('dialog').waitFor()
  })
  await take(page, 'account', '/account')
}

/** The project whose request for API access is in this state. */
function projectWith({ idOf }: Studio, state: string): Promise<number> {
  return idOf(
    sql<{ id: number }>`
      select project_id as id from access_requests where state = ${state} order by id limit 1`,
  )
}
