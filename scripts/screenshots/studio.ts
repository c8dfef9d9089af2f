import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser, Page } from 'playwright-core'
import sharp from 'sharp'
import type { Demo } from '../../src/operations/demo/create-demo.ts'
import type { Database } from '../../src/platform/database/database.ts'
import type { Statement } from '../../src/platform/database/sql.ts'

type Appearance = {
  /** The folder of the pictures. */
  out: string
  /** In pixels. With several widths, the name of a picture ends with its width. */
  widths: number[]
  isDark: boolean
  /** Takes only pictures whose names start with this text. */
  only: string
}

type Account = { email: string; password: string }
type Parts = Appearance & { browser: Browser; url: string; database: Database; demo: Demo }

/** What the files of this folder need to take the pictures of an area. */
export type Studio = {
  demo: Demo
  database: Database
  url: string
  visit(account?: Account): Promise<Page>
  /** Opens the page, acts on it, and saves a picture: of the visible part after an act, otherwise of the whole page. */
  take(page: Page, name: string, path: string, act?: () => Promise<unknown>): Promise<void>
  save(page: Page, name: string, fullPage: boolean): Promise<void>
  idOf(statement: Statement<{ id: number }>): Promise<number>
}

const height = 800
/** Images below the visible part load when they are needed. */
const imagesAreShown = `[...document.images].every((image) => image.complete || image.getBoundingClientRect().top > innerHeight)`

export function openStudio({ browser, url, database, demo, ...appearance }: Parts): Studio {
  const save = (page: Page, name: string, fullPage: boolean) => savePictures(page, name, fullPage, appearance)
  return {
    demo,
    database,
    url,
    save,
    visit: (account) => openPage(browser, url, appearance, account),
    async take(page, name, path, act) {
      if (!name.startsWith(appearance.only)) return
      await page.goto(path)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page.waitForLoadState('networkidle')
      await act?.()
      await save(page, name, act === undefined)
    },
    async idOf(statement) {
      const [row] = await database.query(statement)
      if (row === undefined) throw new Error(`the demo lacks what a picture shows: ${statement.text}`)
      return row.id
    },
  }
}

async function openPage(
  browser: Browser,
  url: string,
  { widths: [width = 0], isDark }: Appearance,
  account?: Account,
): Promise<Page> {
  const context = await browser.newContext({
    baseURL: url,
    viewport: { width, height },
    colorScheme: isDark ? 'dark' : 'light',
    reducedMotion: 'reduce',
  })
  if (account !== undefined)
    await context.request.post('/console/auth/sign-in/email', { data: account, headers: { origin: url } })
  return context.newPage()
}

async function savePictures(
  page: Page,
  name: string,
  fullPage: boolean,
  { out, widths, only }: Appearance,
): Promise<void> {
  if (!name.startsWith(only)) return
  for (const width of widths) {
    if (widths.length > 1) await page.setViewportSize({ width, height })
    // The header and the navigation stay at the top of the visible part.
    if (fullPage) await page.evaluate('scrollTo(0, 0)')
    while (!(await page.evaluate(imagesAreShown))) await sleep(50)
    const file = join(out, `${name}${widths.length > 1 ? `-${width}` : ''}.png`)
    // A palette makes the file less than half as large.
    await sharp(await page.screenshot({ fullPage }))
      .png({ palette: true, effort: 10 })
      .toFile(file)
    console.log(file)
  }
  if (widths.length > 1) await page.setViewportSize({ width: widths[0] ?? 0, height })
}
