import type { Browser, BrowserContext, Cookie } from 'playwright-core'
import { afterEach, beforeAll, beforeEach, expect, inject } from 'vitest'
import { createUser } from '../../src/access/users/manage-user.ts'
import type { Flags } from '../../src/config.ts'
import { knownPassword, openSession } from '../console-user.ts'
import { ownDatabase } from '../database/test-database.ts'
import { sharedTestService, startTestService, type TestService } from '../harness.ts'
import { whenFileEnds } from '../setup/file-end.ts'
import { launchChromium, noChromium } from './chromium.ts'
import { openVisitor, type Visitor } from './visitors.ts'

export type Account = { email: string; password: string; id?: number }
type AccountOptions = { operator?: boolean; projects?: number[] }

type Options = {
  /** For files that read all projects and users, or count sign-ins. */
  isAlone?: boolean
  /** Flags of a service that is not shared with other files. */
  flags?: Flags
  /** Each visitor has a new browser, for tests of loading and tests that set the clock. */
  isBrowserNew?: boolean
  /** Preloads the code of other pages, as browsers without a data saver do. */
  isCodeLoadedAhead?: boolean
}

/**
 * A service, and the Chromium of the worker. Files share both unless they ask for their own service and database. Each
 * visitor has a new page without cookies or storage. Without Chromium, the tests are skipped with the reason.
 */
export function servedConsole(options: Options = {}) {
  const { isAlone = false, flags = {} } = options
  let service: TestService
  const takeContext = contexts(() => service.url, options)
  beforeAll(async () => {
    service = isAlone
      ? await startTestService(flags, await ownDatabase('browser'))
      : await sharedTestService()
  })

  const visit = async () => openVisitor(await takeContext(), service.url)
  /** A signed-in visitor, without the sign-in form. */
  const signedIn = async (account: Account): Promise<Visitor> => {
    const visitor = await visit()
    await visitor.context.addCookies(await signIn(visitor.context, account, service))
    return visitor
  }

  return {
    get url() {
      return service.url
    },
    get service() {
      return service
    },
    visit,
    async account({ operator = false, projects = [] }: AccountOptions): Promise<Account> {
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
    signedIn,
    /** A loaded page for a signed-in user. */
    async open(account: Account, address: string): Promise<Visitor> {
      const visitor = await signedIn(account)
      await visitor.page.goto(address)
      return visitor
    },
  }
}

// One process for all pages of a visitor reuses compiled code, which is cached from the first load on. Pages are too short-lived for
// the slower of the two compilers that optimize.
const short = ['--renderer-process-limit=1', '--js-flags=--no-turbofan', '--v8-cache-options=bypassHeatCheck']
let browser: Promise<Browser> | undefined
const kept: BrowserContext[] = []

/**
 * Visitors reuse the contexts of the test before, in the same order: cached scripts load in half the time.
 */
function contexts(
  baseURL: () => string,
  { isAlone = false, isBrowserNew = false, isCodeLoadedAhead = false }: Options,
) {
  const executablePath = inject('chromium')
  const hasOwn = isAlone || isBrowserNew || isCodeLoadedAhead
  const opened: BrowserContext[] = hasOwn ? [] : kept
  let taken = 0
  const closeAll = async () => {
    for (const context of opened.splice(0)) await context.close()
  }
  beforeAll(() => {
    if (hasOwn) whenFileEnds(closeAll)
  })
  beforeEach(({ skip }) => {
    skip(executablePath === undefined, noChromium)
    taken = 0
  })
  afterEach(async () => {
    if (isBrowserNew) await closeAll()
    else for (const context of opened) await closePages(context)
  })

  return async (): Promise<BrowserContext> => {
    const place = taken++
    opened[place] ??= await openContext(baseURL(), isCodeLoadedAhead)
    return opened[place]
  }
}

/** Except the first one, which keeps the window: opening a window takes longer than opening a page. */
async function closePages(context: BrowserContext): Promise<void> {
  for (const page of context.pages().slice(1)) await page.close()
}

/** A context in the Chromium of the worker. */
export async function openContext(baseURL: string, isCodeLoadedAhead = false): Promise<BrowserContext> {
  browser ??= launchChromium(inject('chromium'), short)
  const context = await (await browser).newContext({ baseURL, reducedMotion: 'reduce' })
  if (!isCodeLoadedAhead)
    await context.addInitScript(
      `Object.defineProperty(navigator, 'connection', { value: { saveData: true } })`,
    )
  await context.newPage()
  return context
}

/** Accounts created here get a session directly: a password check takes a tenth of a second. */
async function signIn(
  context: BrowserContext,
  { id, email, password }: Account,
  { database, url }: TestService,
): Promise<Cookie[]> {
  if (id !== undefined) return [sessionCookie(await openSession(database, id), url)]
  const headers = { origin: url }
  const response = await context.request.post('/console/auth/sign-in/email', {
    data: { email, password },
    headers,
  })
  expect(response.status()).toBe(200)
  return context.cookies()
}

export function sessionCookie(cookie: string, url: string): Cookie {
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
