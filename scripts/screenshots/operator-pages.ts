import type { Page } from 'playwright-core'
import type { Studio } from './studio.ts'

/** The admin area. */
export async function takeOperatorPages({ demo, take }: Studio, page: Page): Promise<void> {
  await take(page, 'access-requests', '/operator/access-requests')
  await take(page, 'operator-projects', '/operator/projects')
  await take(page, 'operator-project', `/operator/projects/${demo.project}`)
  await take(page, 'users', '/operator/users')
  await take(page, 'user-invite', '/operator/users', async () => {
    await page.getByRole('button', { name: 'New user' }).click()
    await page.getByRole('dialog').waitFor()
  })
  await take(page, 'audit', '/operator/audit')
  await take(page, 'operator-webhooks', '/operator/webhooks')
}
