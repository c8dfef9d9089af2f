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

/** A page of its own, in a browser that keeps nothing of those before but what it has loaded. */
export async function arrive(context: BrowserContext, origin: string): Promise<Visitor> {
  context.setDefaultTimeout(25_000)
  const page = await context.newPage()
  await context.setOffline(false)
  await context.clearCookies()
  const tools = await context.newCDPSession(page)
  await tools.send('Storage.clearDataForOrigin', {
    origin,
    storageTypes: 'local_storage,indexeddb,cache_storage',
  })
  await tools.detach()
  return { context, page, complaints: complaintsOf(page) }
}

/** Pictures of products are anywhere, and those of tests nowhere. */
const isPicture = (address: string) => address.startsWith('https://images.example/')

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
