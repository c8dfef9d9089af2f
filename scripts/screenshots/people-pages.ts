import type { Page } from 'playwright-core'
import { sql } from '../../src/platform/database/sql.ts'
import { addNotifications, type Members } from './sample-members.ts'
import type { Studio } from './studio.ts'

/** Members, invitations, notifications, and the pages of a viewer. */
export async function takePeople(studio: Studio, manager: Page, members: Members): Promise<void> {
  const { demo, take } = studio
  const path = `/projects/${demo.project}/settings/members`
  await take(manager, 'members', path)
  await take(manager, 'member-invite', path, async () => {
    await manager.getByRole('button', { name: 'Invite member' }).click()
    await manager.getByRole('dialog').waitFor()
  })
  await take(await studio.visit(), 'invitation', members.link)
  const editor = await studio.visit(members.editor)
  await addNotifications(studio, editor.request)
  await take(manager, 'notifications', `/projects/${demo.project}`, async () => {
    await manager
      .getByRole('button', { name: /^Notifications, \d/ })
      .filter({ visible: true })
      .click()
    await manager.getByRole('link', { name: /wait for review/ }).waitFor()
  })
  await takeReading(studio, await studio.visit(members.viewer))
}

async function takeReading({ demo, take, idOf }: Studio, viewer: Page): Promise<void> {
  const simple = await idOf(sql<{ id: number }>`
    select id from products where project_id = ${demo.project} and product_type = 'configurable' order by id limit 1`)
  await take(viewer, 'overview-viewer', `/projects/${demo.project}`)
  await take(viewer, 'products-viewer', `/projects/${demo.project}/products`)
  await take(viewer, 'product-viewer', `/projects/${demo.project}/products/${simple}`)
}
