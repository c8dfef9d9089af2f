import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from 'playwright-core'
import { beforeAll, beforeEach, expect, inject } from 'vitest'
import { createUser } from '../../src/users/manage-user.ts'
import { whenFileEnds } from '../file-end.ts'
import { startTestService, type TestService } from '../harness.ts'
import { ownDatabase } from '../test-database.ts'
import { noChromium } from './chromium.ts'

export type Account = { email: string; password: string }
export type Visitor = {
  context: BrowserContext
  page: Page
  /** Whatever the browser complained of: errors, refused styles and scripts, failed requests. */
  complaints: string[]
}

/**
 * A service with a database of its own (sign-ins are counted per address), and the one Chromium of all tests. Without
 * a Chromium the tests of the file are skipped, with the reason.
 */
export function servedConsole() {
  let browser: Browser
  let service: TestService
  const endpoint = inject('chromium')
  const sessions = new Map<string, Awaited<ReturnType<BrowserContext['storageState']>>>()
  beforeAll(async () => {
    service = await startTestService({}, await ownDatabase('browser'))
    if (endpoint === undefined) return
    browser = await chromium.connect(endpoint)
    whenFileEnds(() => browser.close())
  })
  beforeEach(({ skip }) => skip(endpoint === undefined, noChromium))

  async function visit(options: BrowserContextOptions = {}): Promise<Visitor> {
    const context = await browser.newContext({ baseURL: service.url, reducedMotion: 'reduce', ...options })
    context.setDefaultTimeout(25_000)
    const page = await context.newPage()
    const complaints: string[] = []
    page.on('pageerror', (error) => complaints.push(`error: ${error.message}`))
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) complaints.push(message.text())
    })
    page.on('requestfailed', (request) => {
      // What a page was still loading when it was left did not fail.
      if (request.failure()?.errorText !== 'net::ERR_ABORTED') complaints.push(`failed: ${request.url()}`)
    })
    return { context, page, complaints }
  }

  return {
    get url() {
      return service.url
    },
    get service() {
      return service
    },
    visit,
    async account({
      operator = false,
      projects = [],
    }: {
      operator?: boolean
      projects?: number[]
    }): Promise<Account> {
      const email = `${operator ? 'operator' : 'member'}-${crypto.randomUUID().slice(0, 8)}@example.com`
      const user = {
        email,
        name: operator ? 'An operator' : 'A member',
        operator,
        project_ids: projects,
      }
      const { password } = await createUser(service.database, { name: 'tests' }, user)
      return { email, password }
    },
    /** Somebody who has signed in already, without the way through the form. */
    async signedIn(account: Account, options: BrowserContextOptions = {}): Promise<Visitor> {
      const storageState = sessions.get(account.password)
      if (storageState !== undefined) return visit({ ...options, storageState })
      const visitor = await visit(options)
      const answer = await visitor.context.request.post('/console/auth/sign-in/email', {
        data: account,
        headers: { origin: service.url },
      })
      expect(answer.status()).toBe(200)
      sessions.set(account.password, await visitor.context.storageState())
      return visitor
    },
  }
}
