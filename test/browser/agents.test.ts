import { expect, test } from 'vitest'
import { consoleUser } from '../console-user.ts'
import { callTool, connectAgent } from '../requests/agent-client.ts'
import { behindDialog, seriousViolations } from './axe.ts'
import { servedConsole } from './console.ts'
import { follow } from './visitors.ts'

const site = servedConsole()

test('a manager creates an agent token, which can only read and propose, and copies the settings of every client', async () => {
  const { project } = await site.service.tenant()
  const manager = await site.account({ projects: [project] })
  const { page, complaints } = await site.open(manager, `/projects/${project}/settings/agents`)
  await page.getByText('One token can do more than an agent needs').waitFor()
  await page.getByRole('button', { name: 'New agent token' }).click()
  await page.getByLabel('Name').fill('Agent')
  expect(await page.getByRole('checkbox').count()).toBe(3)
  expect(await seriousViolations(page, behindDialog)).toEqual([])
  await page.getByRole('button', { name: 'Create token' }).click()
  const token = (await page.getByRole('dialog').getByLabel('Token', { exact: true }).textContent()) ?? ''
  await page.getByRole('button', { name: 'I have stored it' }).click()
  // Only the token of the test is wider.
  await page.getByText('One token can do more than an agent needs').waitFor()

  const read = async (client: string) => {
    await page.getByRole('tab', { name: client }).click()
    const settings = page.getByRole('region', { name: `Settings for ${client}`, exact: true })
    await settings.first().waitFor()
    return (await settings.allTextContents()).join('\n')
  }
  const { servers, inputs } = JSON.parse(await read('VS Code'))
  const { mcpServers: cursor } = JSON.parse(await read('Cursor'))
  const { mcpServers: desktop } = JSON.parse(await read('Claude Desktop'))
  const endpoint: string = servers.catalog.url
  expect(servers.catalog.headers.Authorization).toBe(`Bearer \${input:${inputs[0].id}}`)
  expect(cursor.catalog.url).toBe(endpoint)
  expect(desktop.catalog.args).toEqual(['mcp', '--url', new URL(endpoint).origin])
  for (const client of ['Claude Code', 'Codex', 'Other clients'])
    expect(await read(client)).toContain(endpoint)

  const agent = await connectAgent({ url: endpoint }, token)
  expect(agent.getInstructions()).not.toContain('Warning')
  expect((await callTool(agent, 'search_products')).structuredContent.count).toBe(0)
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const body = JSON.stringify({ sku: 'A', name: 'A' })
  expect((await fetch(`${site.url}/v2/products`, { method: 'POST', headers, body })).status).toBe(403)
  expect(complaints).toEqual([])
})

test('a viewer sees whom to ask for a token, and a project without API access can request it', async () => {
  const { project } = await site.service.tenant()
  const { project: locked } = await site.service.tenant({ plan: 'free' })
  const viewer = await consoleUser(site.service, {
    memberships: [
      { project_id: project, role: 'viewer' },
      { project_id: locked, role: 'manager' },
    ],
  })
  const { page } = await site.signedIn(viewer)
  await page.goto(`/projects/${project}/settings/agents`)
  await page.getByText('Ask a manager of this project for a token').waitFor()
  expect(await page.getByRole('button', { name: 'New agent token' }).count()).toBe(0)
  await follow(page, `/projects/${locked}/settings/agents`)
  await page.getByRole('button', { name: 'Send request' }).waitFor()
})
