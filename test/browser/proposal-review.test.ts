import { expect, test } from 'vitest'
import { proposeModelLines } from '../../src/catalog/proposals/propose-model-lines.ts'
import { currentRuleset } from '../../src/catalog/rulesets/rulesets.ts'
import { seriousViolations } from './axe.ts'
import { servedConsole } from './console.ts'
import { follow } from './visitors.ts'

const site = servedConsole()

type Shop = Awaited<ReturnType<typeof site.service.tenant>>
type Product = { id: number; sku: string; version: number; description: string }

/** Products, and a proposal of a run that describes each of them. The last line has a flag. */
async function describedShop(count: number): Promise<Shop & { id: number; skus: string[] }> {
  const shop = await site.service.tenant()
  const send = async (path: string, body: unknown) =>
    (await shop.call(`/v2${path}`, { method: 'POST', body })).body
  const prompt = await send('/prompts', { name: 'Describe', prompt_text: 'Describe {{name}}' })
  const products: Product[] = []
  for (let number = 1; number <= count; number += 1)
    products.push(
      await send('/products', {
        ...{ sku: `LAMP-${number}`, name: `Lamp ${number}`, description: 'An old text.' },
        attributes: { power: '20 W', color: 'brass' },
      }),
    )
  const writtenBy = { prompt_id: prompt.id, version_number: '1.0.0', model: 'm-1', currency: 'EUR' }
  const { id } = await site.service.database.transaction(async (tx) => {
    const ruleset = await currentRuleset(tx, shop.project)
    const author = { actor: 'API client', source: 'api' } as const
    const push = { projectId: shop.project, author, ruleset, mode: 'update' } as const
    const lines = products.map(({ id, sku, version, description }, index) => ({
      ...{ line: index + 1, product_id: id, sku },
      values: { description: `A new text for lamp ${index + 1}.` },
      base: { version, values: { description } },
      flags: index + 1 === count ? (['number_not_in_source'] as const).slice() : [],
    }))
    const run = { id: 1, writtenBy }
    return proposeModelLines(tx, { push, title: 'Run 1', tokenId: null, run }, [lines])
  })
  return { ...shop, id, skus: products.map(({ sku }) => sku) }
}

/** What products contain, without what every write changes. */
async function contents({ call, skus }: { call: Shop['call']; skus: string[] }): Promise<string> {
  const all = await Promise.all(skus.map(async (sku) => (await call(`/v2/products/by-sku/${sku}`)).body))
  return JSON.stringify(
    all.map(({ version: _version, updated_at: _at, quality_score: { score }, ...content }) => ({
      ...content,
      score,
    })),
  )
}

test('a manager reviews a run with the keyboard, edits a line, applies the rest, and undo restores every byte', async () => {
  const shop = await describedShop(4)
  const { project, call, id } = shop
  const before = await contents(shop)
  const { page, complaints } = await site.signedIn(await site.account({ projects: [project] }))
  await page.goto(`/projects/${project}/proposals/${id}`)
  const lines = page.locator('ol > li[data-line]')
  // Flagged lines come first, with the source values next to the text.
  await lines.first().getByText('Number not in the source').waitFor()
  await lines.first().getByText('LAMP-4', { exact: true }).waitFor()
  await lines.first().getByText('20 W').waitFor()
  await page.getByText('Previous and next line').waitFor()

  await page.keyboard.press('ArrowRight')
  await expect.poll(() => lines.nth(0).getAttribute('aria-current')).toBe('true')
  await page.keyboard.press('r')
  await page.getByText('LAMP-4 rejected.').waitFor({ state: 'attached' })
  await expect.poll(() => lines.nth(1).getAttribute('aria-current')).toBe('true')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('a')
  await page.keyboard.press('e')
  const editor = page.getByRole('textbox', { name: 'Description' })
  // The keys are text in the editor, and do not mark the line.
  await editor.fill('')
  await editor.pressSequentially('are')
  await page.getByRole('button', { name: 'Save line' }).click()
  await lines.nth(2).getByText('Edited', { exact: true }).waitFor()
  await lines.nth(2).getByText('Before the edit').waitFor()
  expect(await page.getByRole('button', { name: 'Apply 1, discard 1' }).count()).toBe(1)
  await page.keyboard.press('a')
  await page.keyboard.press('a')
  await page.getByRole('button', { name: 'Accept LAMP-3' }).waitFor()
  expect(await page.getByRole('button', { name: 'Accept LAMP-3' }).getAttribute('aria-keyshortcuts')).toBe(
    'A',
  )
  expect(await page.getByRole('button', { name: 'Accept LAMP-3' }).getAttribute('aria-pressed')).toBe('true')
  expect(await seriousViolations(page)).toEqual([])

  await page.getByRole('button', { name: 'Apply 3, discard 1' }).click()
  await page.getByText('Applied 3 of 3').waitFor()
  await page.getByText('1 line discarded.').waitFor()
  const descriptions = async () =>
    Promise.all(
      shop.skus.map(async (sku) => (await call(`/v2/products/by-sku/${sku}`)).body.description as string),
    )
  expect(await descriptions()).toEqual([
    'A new text for lamp 1.',
    'are',
    'A new text for lamp 3.',
    'An old text.',
  ])
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('3 changes undone.').waitFor()
  expect(await contents(shop)).toBe(before)

  const [prompt] = (await call('/v2/prompts')).body.results
  await follow(page, `/projects/${project}/prompts/${prompt.id}?view=outcomes`)
  await page.getByRole('table', { name: 'Lines by model' }).getByText('m-1').waitFor()
  const row = page.getByRole('table', { name: 'Lines by model' }).getByRole('row').nth(1)
  expect(await row.innerText()).toMatch(/4\s+2\s+1\s+1/)
  expect(await seriousViolations(page)).toEqual([])
  expect(complaints).toEqual([])
})

test('an edit by someone else stops the apply, removes the marks and shows the new line', async () => {
  const { project, call, id } = await describedShop(2)
  const { page } = await site.signedIn(await site.account({ projects: [project] }))
  await page.goto(`/projects/${project}/proposals/${id}`)
  await page.getByRole('button', { name: 'Accept LAMP-1' }).click()
  const patch = { description: 'Written by a colleague.' }
  expect((await call(`/v2/proposals/${id}/lines/1`, { method: 'PATCH', body: { patch } })).status).toBe(200)
  await page.getByRole('button', { name: 'Apply 1' }).click()
  await page.getByText('Someone changed the proposal since you opened it.').first().waitFor()
  await page.getByText('colleague').waitFor()
  await expect.poll(() => page.getByRole('button', { name: 'Apply 1' }).count()).toBe(0)
  expect((await call('/v2/products/by-sku/LAMP-1')).body.description).toBe('An old text.')
  expect((await call(`/v2/proposals/${id}`)).body).toMatchObject({ state: 'open', revision: 2 })
})

test('on a phone, buttons accept, edit and reject, errors appear at their field, and nothing is cut off', async () => {
  const { project, call, id } = await describedShop(2)
  const { page } = await site.signedIn(await site.account({ projects: [project] }))
  await page.setViewportSize({ width: 390, height: 800 })
  await page.goto(`/projects/${project}/proposals/${id}`)
  await page.getByRole('button', { name: 'Reject LAMP-2' }).click()
  await page.getByRole('button', { name: 'Edit LAMP-1' }).click()
  const editor = page.getByRole('textbox', { name: 'Description' })
  await editor.fill('x'.repeat(100_001))
  await page.getByRole('button', { name: 'Save line' }).click()
  await page.getByText('Must').first().waitFor()
  await editor.fill('From a phone.')
  await page.getByRole('button', { name: 'Save line' }).click()
  await page.getByText('Edited', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Accept LAMP-1' }).click()
  const width = await page.evaluate('document.documentElement.scrollWidth')
  expect(width).toBeLessThanOrEqual(390)
  expect(await seriousViolations(page)).toEqual([])
  await page.getByRole('button', { name: 'Apply 1, discard 1' }).click()
  await page.getByText('Applied 1 of 1').waitFor()
  expect((await call('/v2/products/by-sku/LAMP-1')).body.description).toBe('From a phone.')
})
