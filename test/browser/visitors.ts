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

/** Whoever opens the page is new to the service; what others have loaded in the context may be in its cache. */
export async function arrive(context: BrowserContext): Promise<Visitor> {
  context.setDefaultTimeout(25_000)
  await context.setOffline(false)
  await context.clearCookies()
  const left = context.pages()
  const page = await context.newPage()
  // Not before, or the process that shows the old pages would end, with all that it has compiled.
  for (const old of left) await old.close()
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
