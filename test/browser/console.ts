import { type Browser, type BrowserContext, type Cookie, chromium } from 'playwright-core'
import { beforeAll, beforeEach, expect, inject } from 'vitest'
import { createUser } from '../../src/users/manage-user.ts'
import { knownPassword, openSession } from '../console-user.ts'
import { whenFileEnds } from '../file-end.ts'
import { startTestService, type TestService } from '../harness.ts'
import { ownDatabase } from '../test-database.ts'
import { noChromium } from './chromium.ts'
import { arrive, type Visitor } from './visitors.ts'

export type Account = { email: string; password: string; id?: number }
type Wishes = { operator?: boolean; projects?: number[] }

/**
 * A service with a database of its own (sign-ins are counted per address), and the one Chromium of all tests. Without
 * a Chromium the tests of the file are skipped, with the reason.
 */
export function servedConsole(options: { isCacheShared?: boolean } = {}) {
  let service: TestService
  const sessions = new Map<string, Cookie[]>()
  const takeContext = contexts(() => service.url, options)
  beforeAll(async () => {
    service = await startTestService({}, await ownDatabase('browser'))
  })

  const visit = async () => arrive(await takeContext())

  return {
    get url() {
      return service.url
    },
    get service() {
      return service
    },
    visit,
    async account({ operator = false, projects = [] }: Wishes): Promise<Account> {
      const email = `${operator ? 'operator' : 'member'}-${crypto.randomUUID().slice(0, 8)}@example.com`
      const name = operator ? 'An operator' : 'A member'
      const user = { email, name, operator, project_ids: projects }
      const { id, password } = await createUser(
        service.database,
        { name: 'tests' },
        user,
        await knownPassword(),
      )
      return { email, password, id }
    },
    /** Somebody who has signed in already, without the way through the form. */
    async signedIn(account: Account): Promise<Visitor> {
      const visitor = await visit()
      const cookies = sessions.get(account.email) ?? (await signIn(visitor.context, account, service))
      sessions.set(account.email, cookies)
      await visitor.context.addCookies(cookies)
      return visitor
    },
  }
}

/**
 * The first visitor of a test takes over the context of the first one of the test before, the second that of the
 * second: a page whose scripts are in the cache is there in half the time.
 */
function contexts(baseURL: () => string, { isCacheShared = true }: { isCacheShared?: boolean }) {
  const endpoint = inject('chromium')
  const opened: BrowserContext[] = []
  let browser: Browser
  let taken = 0
  beforeAll(async () => {
    if (endpoint === undefined) return
    browser = await chromium.connect(endpoint)
    whenFileEnds(() => browser.close())
  })
  beforeEach(({ skip }) => {
    skip(endpoint === undefined, noChromium)
    if (isCacheShared) taken = 0
  })

  return async (): Promise<BrowserContext> => {
    const place = taken++
    opened[place] ??= await browser.newContext({ baseURL: baseURL(), reducedMotion: 'reduce' })
    return opened[place]
  }
}

/** An account that was made here is given a session: the check of a password takes a tenth of a second. */
async function signIn(
  context: BrowserContext,
  { id, email, password }: Account,
  { database, url }: TestService,
): Promise<Cookie[]> {
  if (id !== undefined) return [sessionCookie(await openSession(database, id), url)]
  const headers = { origin: url }
  const answer = await context.request.post('/console/auth/sign-in/email', {
    data: { email, password },
    headers,
  })
  expect(answer.status()).toBe(200)
  return context.cookies()
}

function sessionCookie(cookie: string, url: string): Cookie {
  const [name = '', value = ''] = cookie.split('=', 2)
  const { hostname: domain } = new URL(url)
  return {
    name,
    value,
    domain,
    path: '/console',
    expires: -1,
    httpOnly: true,
    secure: false,
    sameSite: 'Lax',
  }
}
