import { beforeAll, expect, test } from 'vitest'
import { consoleUser } from '../../../test/console-user.ts'
import { sharedTestService, type TestService } from '../../../test/harness.ts'
import { rawRequest } from '../../../test/requests/raw-request.ts'
import { listUsage } from '../usage/usage.sql.ts'

let service: TestService
beforeAll(async () => {
  service = await sharedTestService()
})

test('a session can call the API on any plan, up to a limit per user, without counting as API usage', async () => {
  const { project } = await service.tenant({ plan: 'free' })
  const user = await consoleUser(service, { projects: [project] })
  const other = await consoleUser(service, { projects: [project] })
  const path = `/console/api/projects/${project}/project`
  const first = await user.call(path)
  expect([first.status, first.headers.get('ratelimit-policy')]).toEqual([200, '"user";q=100;w=5'])

  const request = `GET ${path} HTTP/1.1\r\nHost: localhost\r\nCookie: ${user.cookie}\r\n`
  const last = `${request}Connection: close\r\n\r\n`
  let responses = ''
  for (let round = 0; !responses.includes('HTTP/1.1 429') && round < 20; round += 1)
    responses = await rawRequest(service.url, `${request}\r\n`.repeat(150) + last)
  expect(responses).toContain('"code":"rate_limited"')
  expect(responses).toMatch(/retry-after: \d+\r\n/i)
  expect((await other.call(path)).status).toBe(200)
  expect((await user.call('/console/api/session')).status).toBe(200)
  const usage = await listUsage(service.database, project)
  expect(usage.every(({ requests }) => requests === 0)).toBe(true)
})

test('lists full of private images leave a user the requests of the other pages', {
  tags: 'slow',
}, async () => {
  const { project } = await service.tenant({ plan: 'free' })
  const user = await consoleUser(service, { projects: [project] })
  const path = `/console/api/projects/${project}`
  const image = `${path}/assets/sha256:${'0'.repeat(64)}/content?width=64`
  const request = `GET ${image} HTTP/1.1\r\nHost: localhost\r\nCookie: ${user.cookie}\r\n`
  const requests = [...Array.from({ length: 300 }, () => request), `${request}Connection: close\r\n`]
  const responses = await rawRequest(service.url, requests.map((head) => `${head}\r\n`).join(''))
  expect(responses.match(/HTTP\/1.1 404/g)).toHaveLength(301)
  const { status, headers } = await user.call(`${path}/project`)
  expect([status, headers.get('ratelimit')]).toEqual([200, expect.stringMatching(/^"user";r=99;/)])
})
