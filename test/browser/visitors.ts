import type { BrowserContext, Page } from 'playwright-core'

export type Visitor = {
  context: BrowserContext
  page: Page
  /** Whatever the browser complained of: errors, refused styles and scripts, failed requests. */
  complaints: string[]
}

/** To another address of the console without a load, as a link leads there. */
export function follow(page: Page, address: string): Promise<void> {
  return page.evaluate(`history.pushState(null, '', '${address}')`)
}

/** What has the focus, in a few words; BODY where it was lost. */
export function focused(page: Page): Promise<string> {
  return page.evaluate(`(() => {
    const { id, tagName, textContent } = document.activeElement
    return tagName + (id && '#' + id) + ' ' + textContent.trim().slice(0, 40)
  })()`)
}

const desk = { width: 1280, height: 720 }

/**
 * Whoever opens the page is new to the service; what others have loaded in the context may be in its cache. The page of the visitor before is
 * taken over, empty: a new one takes longer to make, and to load anything.
 */
export async function arrive(context: BrowserContext): Promise<Visitor> {
  context.setDefaultTimeout(25_000)
  await context.setOffline(false)
  const [before, ...others] = context.pages()
  for (const other of others) await other.close()
  const page = before === undefined ? await context.newPage() : await emptied(before)
  await context.clearCookies()
  return { context, page, complaints: complaintsOf(page) }
}

async function emptied(page: Page): Promise<Page> {
  for (const event of complained) page.removeAllListeners(event)
  await page.unrouteAll()
  // A page that could not be loaded has no storage.
  await page.evaluate('try { sessionStorage.clear() } catch {}')
  await page.goto('about:blank')
  await page.setViewportSize(desk)
  await page.emulateMedia({ colorScheme: 'light' })
  return page
}

/** Pictures of products are anywhere, and those of tests nowhere. */
const isPicture = (address: string) => address.startsWith('https://images.example/')

const complained = ['pageerror', 'console', 'requestfailed']

function complaintsOf(page: Page): string[] {
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(`error: ${error.message}`))
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type()) && !isPicture(message.location().url))
      complaints.push(message.text())
  })
  page.on('requestfailed', (request) => {
    // What a page was still loading when it was left did not fail.
    if (request.failure()?.errorText !== 'net::ERR_ABORTED' && !isPicture(request.url()))
      complaints.push(`failed: ${request.url()}`)
  })
  return complaints
}
