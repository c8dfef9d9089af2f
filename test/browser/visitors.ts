import type { BrowserContext, Page } from 'playwright-core'

export type Visitor = {
  context: BrowserContext
  page: Page
  /** Messages of the browser: errors, blocked styles and scripts, failed requests. */
  complaints: string[]
}

/** Navigates within the console without a load, like a link. */
export function follow(page: Page, address: string): Promise<void> {
  return page.evaluate(`history.pushState(null, '', '${address}')`)
}

/** A short description of the focused element; BODY if the focus was lost. */
export function focused(page: Page): Promise<string> {
  return page.evaluate(`(() => {
    const { id, tagName, textContent } = document.activeElement
    return tagName + (id && '#' + id) + ' ' + textContent.trim().slice(0, 40)
  })()`)
}

/** Pixels that overflow the page, or the container of a table that does not scroll. */
export const overflow = `Math.max(
  document.documentElement.scrollWidth - document.documentElement.clientWidth,
  ...[...document.querySelectorAll('table:not([data-scrolls] *)')].map((table) => table.offsetWidth - table.parentElement.clientWidth),
)`

/** A new page without cookies and storage. The HTTP cache is kept. */
export async function openVisitor(context: BrowserContext, origin: string): Promise<Visitor> {
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

/** The image host of the tests does not exist. */
const isPicture = (address: string) => address.startsWith('https://images.example/')

const isFault = (text: string) => /status of 5\d\d/.test(text)

function complaintsOf(page: Page): string[] {
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(`error: ${error.message}`))
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type()) && !isPicture(message.location().url))
      complaints.push(message.text() + (isFault(message.text()) ? ` ${message.location().url}` : ''))
  })
  page.on('requestfailed', (request) => {
    // A request that was aborted by leaving the page did not fail.
    if (request.failure()?.errorText !== 'net::ERR_ABORTED' && !isPicture(request.url()))
      complaints.push(`failed: ${request.url()}`)
  })
  return complaints
}

/** Chooses an item of an open menu by keyboard: a click can miss it while the menu moves into place. */
export function chooseItem(page: Page, name: string | RegExp): Promise<void> {
  return page.getByRole('menuitem', { name }).press('Enter')
}
