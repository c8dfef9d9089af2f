import type { BrowserContext, Page } from 'playwright-core'
import { median } from './servers/temporary-database.ts'

const rows = 500
const attributes = 200
const presses = 40

const names = Array.from({ length: attributes }, (_, index) => `attribute ${String(index).padStart(3, '0')}`)

/** Adds products with a value in each of 200 defined attributes. They are the newest products. */
async function addWideProducts({ request }: BrowserContext, project: number, origin: string): Promise<void> {
  const api = `/console/api/projects/${project}`
  const send = async (method: 'put' | 'post', path: string, data: unknown) => {
    const response = await request[method](api + path, { data, headers: { origin } })
    if (!response.ok()) throw new Error(await response.text())
  }
  const types = ['text', 'number', 'boolean', 'date']
  const definitions = names.map((name, index) => ({ name, type: types[index % types.length] }))
  await send('put', '/attributes', { attributes: definitions })
  const value = (row: number, index: number) =>
    [`value ${row}`, row + index / 10, row % 2 === 0, '2026-01-31'][index % types.length]
  const products = Array.from({ length: rows }, (_, row) => ({
    sku: `WIDE-${row}`,
    name: `Wide product ${row}`,
    attributes: Object.fromEntries(names.map((name, index) => [name, value(row, index)])),
  }))
  await send('post', '/products/bulk', products)
}

/** From a key press to the frame that shows its result. */
const watchFrames = `(() => {
  window.frameTimes = []
  document.addEventListener('keydown', ({ timeStamp }) => {
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel()
      port1.onmessage = () => window.frameTimes.push(performance.now() - timeStamp)
      port2.postMessage(0)
    })
  }, true)
})()`

/** Checked in every frame. The policy of the pages forbids page.waitForFunction with a text. */
function until(page: Page, condition: string): Promise<unknown> {
  return page.evaluate(`new Promise((resolve) => {
    const check = () => ((${condition}) ? resolve() : requestAnimationFrame(check))
    check()
  })`)
}

async function timesOf(page: Page, keys: string[]): Promise<number[]> {
  await page.evaluate('window.frameTimes = []')
  for (const [index, key] of keys.entries()) {
    await page.keyboard.press(key)
    await until(page, `window.frameTimes.length > ${index}`)
  }
  return page.evaluate('window.frameTimes')
}

/** Prints the times of keys in a grid of 500 rows and 200 attribute columns. */
export async function measureSheet(
  context: BrowserContext,
  page: Page,
  project: number,
  origin: string,
): Promise<void> {
  await addWideProducts(context, project, origin)
  await page.goto(`/projects/${project}/products?ordering=-id&page_size=${rows}&edit=all`)
  await page.getByRole('gridcell').first().waitFor()
  await until(page, `document.activeElement?.matches('[role=gridcell]')`)
  await page.evaluate(watchFrames)
  const repeated = (...keys: string[]) =>
    Array.from({ length: presses }, (_, index) => keys[index % keys.length] ?? '')
  const kinds: [string, string[]][] = [
    ['Arrow down', repeated('ArrowDown')],
    ['Arrow right, through all columns', repeated('ArrowRight')],
    ['Page down', repeated('PageDown', 'PageUp')],
    ['To the last and the first cell', repeated('Control+End', 'Control+Home')],
    ['Type into a cell, and commit', repeated('7', 'Enter')],
  ]
  console.log(
    `| Key, with ${rows} rows and ${attributes} attributes | Median | Slowest |\n| --- | --- | --- |`,
  )
  for (const [name, keys] of kinds) {
    const times = await timesOf(page, keys)
    console.log(`| ${name} | ${Math.round(median(times))} ms | ${Math.round(Math.max(...times))} ms |`)
  }
}
