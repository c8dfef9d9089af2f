import { expect, test } from 'vitest'
import { consoleUser } from '../console-user.ts'
import { frame, seriousViolations } from './axe.ts'
import { servedConsole } from './console.ts'
import { follow } from './visitors.ts'

const site = servedConsole()

test('viewers and editors are offered what their role includes, and no more', async () => {
  const { project, call } = await site.service.tenant()
  const product = { sku: 'MUG-1', name: 'Stoneware mug', status: 'pending' }
  const { id } = (await call('/v2/products', { method: 'POST', body: product })).body
  const lines = [{ sku: 'MUG-1', price: 5 }]
  const proposal = (await call('/v2/proposals?title=Prices', { method: 'POST', body: lines })).body.id
  const join = (role: 'viewer' | 'editor') =>
    consoleUser(site.service, { memberships: [{ project_id: project, role }] })
  const offered = (page: Awaited<ReturnType<typeof site.signedIn>>['page']) =>
    page.getByRole('main').getByRole('button').allTextContents()

  const viewer = await site.signedIn(await join('viewer'))
  await viewer.page.goto(`/projects/${project}/products/${id}`)
  await viewer.page.getByRole('heading', { name: 'Stoneware mug', level: 1 }).waitFor()
  expect(await viewer.page.getByRole('textbox', { name: /^Name/ }).isDisabled()).toBe(true)
  expect(await offered(viewer.page)).not.toContain('Activate')
  expect(await viewer.page.getByRole('button', { name: 'Adjust' }).count()).toBe(0)
  expect(
    await viewer.page
      .getByLabel(/ add | an? (attribute|category)/i)
      .filter({ visible: true })
      .count(),
  ).toBe(0)
  expect(await seriousViolations(viewer.page, frame)).toEqual([])
  await follow(viewer.page, `/projects/${project}/proposals/${proposal}`)
  await viewer.page.getByText('A manager of the project looks at the lines').waitFor()
  await viewer.page.getByText('MUG-1').first().waitFor()
  expect(await offered(viewer.page)).toEqual([])
  await follow(viewer.page, `/projects/${project}/products/new`)
  await viewer.page.getByRole('heading', { name: 'Nothing here' }).waitFor()
  await viewer.page.keyboard.press('ControlOrMeta+k')
  const options = viewer.page.getByRole('listbox').getByRole('option')
  await options.filter({ hasText: 'Prompts' }).waitFor()
  expect((await options.allTextContents()).filter((name) => /^New|^Import/.test(name))).toEqual([])

  const editor = await site.signedIn(await join('editor'))
  await editor.page.goto(`/projects/${project}/proposals/${proposal}`)
  await editor.page.getByRole('button', { name: 'Discard selected' }).waitFor()
  expect((await offered(editor.page)).filter((name) => name.includes('Apply'))).toEqual([])
  expect([viewer.complaints, editor.complaints]).toEqual([[], []])
})
