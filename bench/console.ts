import { parseArgs } from 'node:util'
import type { Page } from 'playwright-core'
import { createProject } from '../src/access/projects/manage-project.ts'
import { createUser } from '../src/access/users/manage-user.ts'
import { launchChromium } from '../test/browser/chromium.ts'
import { measureSheet } from './console-sheet.ts'
import { fillProject } from './fill.ts'
import { serveCatalog } from './servers/served.ts'
import { median, onTemporaryDatabase } from './servers/temporary-database.ts'

/** Milliseconds from a click or the last key to the result in Chromium, and the size of the first page. */
const { values: options } = parseArgs({ options: { products: { type: 'string', default: '1000000' } } })
const rounds = 5
const pages = Number(options.products) / 50
const actor = { name: 'bench' }

/** Runs the action and waits for the condition, which is checked in every frame. */
async function until(page: Page, condition: string, act: () => Promise<unknown>): Promise<void> {
  const seen = page.evaluate(`new Promise((resolve) => {
    const check = () => ((${condition}) ? resolve() : requestAnimationFrame(check))
    check()
  })`)
  await Promise.all([seen, act()])
}

/** Waits until the first row changes. */
async function untilRows(page: Page, act: () => Promise<unknown>): Promise<void> {
  const first = page.locator('tbody tr:first-child th')
  const before = (await first.count()) === 0 ? 'none' : await first.textContent()
  const row = `document.querySelector('main tbody tr:first-child th')`
  await until(page, `${row} && ${row}.textContent !== ${JSON.stringify(before)}`, act)
}

const heading = (text: string) => `document.querySelector('main h1')?.textContent.startsWith('${text}')`
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

type Step = [name: string, act: (page: Page, round: number) => Promise<unknown>]

const steps: Step[] = [
  [
    'Products, from the overview',
    async (page) => {
      // The overview is complete.
      await page.waitForLoadState('networkidle')
      return () =>
        untilRows(page, () => page.getByRole('link', { name: 'Products', exact: true }).first().click())
    },
  ],
  ['Next page', (page) => untilRows(page, () => page.getByText('Next', { exact: true }).click())],
  [
    'Any page, by its number',
    async (page, round) => {
      await page
        .getByRole('textbox', { name: /^Page number/ })
        .fill(String(2 + Math.floor(pages / (2 + round))))
      return () => untilRows(page, () => page.keyboard.press('Enter'))
    },
  ],
  ['Order by price', (page) => untilRows(page, () => button(page, 'Price').click())],
  [
    'Filter by status',
    async (page) => {
      await button(page, 'Add filter').click()
      await page.getByLabel('Filter by').selectOption('Status')
      await page.getByLabel('Archived', { exact: true }).check()
      return () => untilRows(page, () => button(page, 'Apply filter').click())
    },
  ],
  [
    'Search for a SKU',
    async (page, round) => {
      await button(page, 'Clear all').click()
      await page.getByRole('searchbox').first().focus()
      return () => untilRows(page, () => page.keyboard.insertText(`SKU-${Math.floor(pages * 21) + round}`))
    },
  ],
  [
    'A product, from its row',
    (page) => until(page, heading('Product '), () => page.locator('tbody th a').first().click()),
  ],
  [
    'Overview, from the product',
    async (page) => {
      const overview = page.getByRole('link', { name: 'Overview', exact: true })
      await until(page, heading('Bench'), () => overview.click())
      await page.getByRole('link', { name: /^Out of stock/ }).waitFor()
    },
  ],
]

/** A step can prepare first and return the part to measure. */
async function timed([, act]: Step, page: Page, round: number): Promise<number> {
  let started = performance.now()
  const rest = await act(page, round)
  if (typeof rest === 'function') {
    started = performance.now()
    await rest()
  }
  return performance.now() - started
}

async function firstLoad(page: Page, address: string): Promise<string> {
  const sizes: Promise<number>[] = []
  page.on('requestfinished', (request) => {
    sizes.push(request.sizes().then(({ responseBodySize }) => responseBodySize))
  })
  await page.goto(address)
  await page.getByRole('link', { name: /^Out of stock/ }).waitFor()
  const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
  // Scripts of other pages load later.
  return `first page: ${sizes.length} requests, ${Math.round(bytes / 1000)} kB`
}

await onTemporaryDatabase(async (database, _connection, folder) => {
  const { id: project } = await createProject(database, actor, { name: 'Bench', plan: 'enterprise' })
  await fillProject(database, project, Number(options.products), false)
  const email = 'bench@example.com'
  const user = { email, name: 'Bench', operator: false, project_ids: [project] }
  const { password } = await createUser(database, actor, user)
  const service = await serveCatalog(folder)
  const browser = await launchChromium()
  try {
    const context = await browser.newContext({ baseURL: service.url })
    const data = { email, password }
    await context.request.post('/console/auth/sign-in/email', { data, headers: { origin: service.url } })
    const page = await context.newPage()
    console.log(await firstLoad(page, `/projects/${project}`))
    const times = new Map(steps.map(([name]) => [name, [] as number[]]))
    for (let round = 0; round < rounds; round += 1)
      for (const step of steps) times.get(step[0])?.push(await timed(step, page, round))
    console.log('| From the click | Median | Slowest |\n| --- | --- | --- |')
    for (const [name, all] of times)
      console.log(`| ${name} | ${Math.round(median(all))} ms | ${Math.round(Math.max(...all))} ms |`)
    await measureSheet(context, page, project, service.url)
  } finally {
    await browser.close()
    await service.stop()
  }
})
