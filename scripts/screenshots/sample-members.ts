import type { APIRequestContext, Page } from 'playwright-core'
import { notifyUsers } from '../../src/access/notifications/notify-users.ts'
import type { Studio } from './studio.ts'

type Account = { email: string; password: string }
export type Members = {
  editor: Account
  viewer: Account /** Of a person who has not joined yet. */
  link: string
}

const password = 'correct horse battery'

/** A team, with the membership changes of a project that is in use. */
export async function addMembers(studio: Studio, { request }: Page): Promise<Members> {
  const members = `/console/api/projects/${studio.demo.project}/members`
  const headers = { origin: studio.url }
  const invite = async (email: string, role: string): Promise<string> => {
    const made = await request.post(`${members}/invitations`, { data: { email, role }, headers })
    return (await made.json()).link
  }
  const join = async (email: string, role: string): Promise<Account> => {
    const secret = new URL(await invite(email, role)).hash.slice(1)
    await request.post('/console/auth/accept-invitation', {
      data: { secret, newPassword: password },
      headers,
    })
    return { email, password }
  }
  const editor = await join('editor@demo.example', 'viewer')
  const viewer = await join('viewer@demo.example', 'viewer')
  const former = await join('former@demo.example', 'editor')
  const idOf = async ({ email }: Account): Promise<number> => {
    const { results } = await (await request.get(members, { headers })).json()
    return results.find((member: { email: string }) => member.email === email).id
  }
  await request.patch(`${members}/${await idOf(editor)}`, { data: { role: 'editor' }, headers })
  await request.delete(`${members}/${await idOf(former)}`, { headers })
  return { editor, viewer, link: await invite('agency@demo.example', 'editor') }
}

/** What the bell of a manager shows after a day. */
export async function addNotifications(
  { demo, database, url }: Studio,
  editor: APIRequestContext,
): Promise<void> {
  const { project: projectId } = demo
  const shop = { objectId: 1, title: 'stock.invalid', state: 'disabled' }
  await database.transaction((tx) =>
    notifyUsers(tx, { ...shop, kind: 'webhook_failing', projectId, to: 'managers' }),
  )
  await editor.post(`/console/api/projects/${projectId}/proposals?title=Winter prices`, {
    data: [{ sku: 'LIG-BUL-0029', price: 12.95 }],
    headers: { origin: url },
  })
}
