import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { sql } from '../../src/platform/database/sql.ts'
import type { Tenant } from '../harness.ts'
import { drawnPng } from '../media/drawn-png.ts'
import { uploaded } from '../media/upload.ts'
import { zipOf } from '../media/zip-file.ts'
import { behindDialog, seriousViolations } from './axe.ts'
import { servedConsole } from './console.ts'

const site = servedConsole()

async function enter() {
  const shop = await site.service.tenant()
  const visitor = await site.signedIn(await site.account({ projects: [shop.project] }))
  return { shop, ...visitor, at: (path: string) => `/projects/${shop.project}/${path}` }
}

/** An image with thumbnails. */
async function readyImage({ call }: Tenant, width = 1_200): Promise<string> {
  const { id } = await uploaded({ call }, drawnPng(width, 8))
  await expect.poll(async () => (await call(`/v2/assets/${id}`)).body.state).toBe('ready')
  return id
}

const create = async ({ call }: Tenant, body: object) =>
  (await call('/v2/products', { method: 'POST', body: { name: 'A mug', ...body } })).body

/** The addresses of the pictures that the page has loaded. */
const shownPictures = (page: Page): Promise<string[]> =>
  page.evaluate(`[...document.querySelectorAll('main img')]
    .filter(({ naturalWidth }) => naturalWidth > 0).map(({ currentSrc }) => new URL(currentSrc).pathname)`)

test('a list shows the first uploaded image of each product, in rows of one height', async () => {
  const { shop, page, at, complaints } = await enter()
  const asset = await readyImage(shop)
  await create(shop, { sku: 'SHOWN', media: [{ url: 'https://images.example/a.jpg' }, { asset }] })
  await create(shop, { sku: 'ELSEWHERE', media: [{ url: 'https://images.example/b.jpg' }] })
  await page.goto(at('products'))
  await expect.poll(() => shownPictures(page)).toHaveLength(1)
  expect(await shownPictures(page)).toEqual([
    expect.stringMatching(/^\/media\/[\w-]{22}\/[0-9a-f]{64}\/64\.webp$/),
  ])
  const heights = await page.evaluate(
    `[...document.querySelectorAll('tbody tr')].map((row) => row.offsetHeight)`,
  )
  expect(new Set(heights as number[]).size).toBe(1)
  await page
    .getByRole('button', { name: /^Jump to/ })
    .first()
    .click()
  await page.getByRole('combobox', { name: 'Jump to' }).fill('SHOWN')
  await page.getByRole('option', { name: 'SHOWN' }).locator('img').waitFor()
  expect(complaints).toEqual([])
})

/** Drops files on the page, as from the desktop. */
async function drop(page: Page, files: { name: string; type: string; bytes: Buffer }[]): Promise<void> {
  const data = files.map(({ name, type, bytes }) => ({ name, type, text: bytes.toString('base64') }))
  await page.evaluate(`(() => {
    const dataTransfer = new DataTransfer()
    for (const { name, type, text } of ${JSON.stringify(data)})
      dataTransfer.items.add(new File([Uint8Array.fromBase64(text)], name, { type }))
    for (const kind of ['dragover', 'drop'])
      document.body.dispatchEvent(new DragEvent(kind, { bubbles: true, cancelable: true, dataTransfer }))
  })()`)
}

/** Whether a field behind the save bar, at the lower edge of the window, becomes visible when it gets the focus. */
const isShownAboveSaveBar = `(() => {
  const field = document.activeElement
  field.blur()
  scrollBy(0, field.getBoundingClientRect().bottom + 8 - innerHeight)
  field.focus()
  const { left, bottom } = field.getBoundingClientRect()
  return document.elementFromPoint(left + 8, bottom - 8) === field
})()`

test('an editor drops files on a product, describes them, orders them by keyboard, and saves them', async () => {
  const { shop, page, at } = await enter()
  const { id } = await create(shop, { sku: 'MUG' })
  await page.goto(at(`products/${id}`))
  await page.getByText('No media yet').waitFor()
  await drop(page, [
    { name: 'front.png', type: 'image/png', bytes: drawnPng(30, 20) },
    { name: 'drawing.svg', type: 'image/svg+xml', bytes: Buffer.from('<svg/>') },
    { name: 'notes.png', type: 'image/png', bytes: Buffer.from('Not an image') },
    // Saved under the wrong name.
    { name: 'back.jpg', type: 'image/jpeg', bytes: drawnPng(20, 30) },
  ])
  const second = page.getByRole('button', { name: 'Edit image 2 of 2: no alternative text' })
  await second.waitFor()
  await page.getByText('2 files uploaded.').waitFor({ state: 'attached' })
  await page.getByRole('alert').getByText('drawing.svg: This type is not supported.').waitFor()
  await page.getByRole('alert').getByText('notes.png: This type is not supported.').waitFor()
  expect(await page.getByRole('button', { name: /^Try again/ }).count()).toBe(0)
  for (const name of ['drawing.svg', 'notes.png'])
    await page.getByRole('button', { name: `Dismiss ${name}` }).click()
  await page.setViewportSize({ width: 1280, height: 500 })
  await second.click()
  await page.keyboard.type('The back')
  expect(await page.evaluate(isShownAboveSaveBar)).toBe(true)
  expect(await seriousViolations(page)).toEqual([])
  await page.keyboard.press('Escape')
  await page.keyboard.press('Shift+ArrowLeft')
  await page.getByText('Media item 2 moved to position 1 of 2.').waitFor()
  await expect
    .poll(() => page.evaluate('document.activeElement.ariaLabel'))
    .toBe('Edit image 1 of 2: The back')
  await page.keyboard.press('ControlOrMeta+s')
  await page.getByText('Version 2, updated').waitFor()
  const { media } = (await shop.call(`/v2/products/${id}`)).body
  expect(media).toMatchObject([
    { alt: 'The back', asset: expect.stringMatching(/^sha256:/) },
    { alt: null, asset: expect.stringMatching(/^sha256:/) },
  ])
  expect((await shop.call(`/v2/assets/${media[0].asset}`)).body).toMatchObject({ width: 20, height: 30 })

  await page.getByRole('button', { name: /^Edit image 1/ }).press('Delete')
  await page.getByText('Media item removed. 1 item left.').waitFor()
  await expect
    .poll(() => page.evaluate('document.activeElement.ariaLabel'))
    .toBe('Edit image 1 of 1: no alternative text')
})

test('the media page filters files, shows where they are used, and deletes unused ones', async () => {
  const { shop, page, at, complaints } = await enter()
  const [used] = [await readyImage(shop), await readyImage(shop, 40)]
  await create(shop, { sku: 'USED', name: 'Used mug', media: [{ asset: used }] })
  await page.goto(at('media'))
  const files = page.getByRole('list', { name: 'Files' }).getByRole('listitem')
  await expect.poll(() => files.count()).toBe(2)
  await page.getByText(/ KB of \d+ GB used/).waitFor()
  for (const [filter, width] of Object.entries({
    'No alternative text': 1200,
    'Too small': 40,
    Unused: 40,
  })) {
    await page.getByRole('link', { name: filter }).click()
    await expect.poll(() => files.allTextContents()).toEqual([expect.stringContaining(`${width} × 8`)])
  }
  await files.getByRole('button').click()
  await page.getByText('No product shows this file.').waitFor()
  await page.getByRole('button', { name: 'Delete…' }).click()
  await page.getByRole('button', { name: 'Delete file' }).click()
  await page.getByText('No unused files').waitFor()
  await page.getByRole('button', { name: 'Show all files' }).click()
  await expect.poll(() => files.count()).toBe(1)
  await files.getByRole('button').click()
  const details = page.getByRole('dialog', { name: 'Image' })
  await details.getByRole('link', { name: 'Used mug' }).waitFor()
  await expect.poll(() => details.getByRole('button', { name: 'Delete…' }).isDisabled()).toBe(true)
  expect(await seriousViolations(page, behindDialog)).toEqual([])
  await details.getByRole('button', { name: 'Erase…' }).click()
  await page.getByRole('button', { name: 'Erase file' }).click()
  await page.getByText('No files yet').waitFor()
  expect((await shop.call(`/v2/assets/${used}`)).status).toBe(410)
  expect(complaints).toEqual([])
})

test('members see the pictures of a private project, whose public URLs return nothing', async () => {
  const { shop, page, at } = await enter()
  const asset = await readyImage(shop)
  const { media } = await create(shop, { sku: 'SECRET', media: [{ asset, alt: 'A secret' }] })
  await page.goto(at('media'))
  await page.getByText('Anyone who has the URL of a file can see it.').waitFor()
  await page.getByRole('button', { name: 'Make files private…' }).click()
  await page.getByRole('button', { name: 'Make private' }).click()
  await page.getByText('Only members and tokens of this project can see files.').waitFor()
  await page.getByRole('link', { name: 'Products', exact: true }).first().click()
  await expect
    .poll(() => shownPictures(page))
    .toEqual([`/console/api/projects/${shop.project}/assets/${asset}/content`])
  expect((await fetch(media[0].thumbnail)).status).toBe(404)
})

test('a zip file of images named by SKU becomes a proposal, which names the files without a product', async () => {
  const { shop, page, at } = await enter()
  const manual = { url: 'https://files.example/manual.pdf', kind: 'document' }
  const { id } = await create(shop, {
    sku: 'MUG',
    media: [{ url: 'https://images.example/old.jpg' }, manual],
  })
  const file = async (entries: Parameters<typeof zipOf>[0]) => ({
    name: 'images.zip',
    mimeType: 'application/zip',
    buffer: await zipOf(entries),
  })
  const images = { 'MUG_2.png': drawnPng(20, 30), 'MUG.png': drawnPng(30, 20) }
  const erased = drawnPng(40, 30)
  const { id: erasedId } = await uploaded(shop, erased)
  await site.service.database.query(sql`
    update assets set state = 'erased' where project_id = ${shop.project} and hash = ${erasedId.slice(7)}`)
  const rejected = { 'MUG_3.png': 'no image', 'MUG_4.png': erased }
  const mixed = await file({ ...images, 'NOBODY.png': drawnPng(), ...rejected })
  await page.goto(at('import'))
  await page.getByLabel('File to import').setInputFiles(mixed)
  await page.getByRole('heading', { name: '4 images for 1 product' }).waitFor()
  await page.getByText('NOBODY.png').waitFor()
  await page.getByRole('button', { name: 'Upload and create proposal' }).click()
  await page.getByText('MUG_3.png: This type is not supported.').waitFor()
  await page.getByText('MUG_4.png: The bytes of this asset were permanently removed.').waitFor()
  await page.getByText('No proposal was created').waitFor()
  expect(await seriousViolations(page)).toEqual([])

  await page.getByRole('button', { name: 'Select another file' }).click()
  await page.getByLabel('File to import').setInputFiles(await file(images))
  await page.getByRole('button', { name: 'Upload and create proposal' }).click()
  await page.getByRole('link', { name: 'Open proposal' }).click()
  await page.getByText('After').waitFor()
  await page.getByRole('button', { name: 'Apply', exact: true }).click()
  await page.getByRole('button', { name: /^Apply \d/ }).click()
  await expect
    .poll(async () => (await shop.call(`/v2/products/${id}`)).body.media)
    .toMatchObject([{ kind: 'image' }, { kind: 'image' }, manual])
  const { media } = (await shop.call(`/v2/products/${id}`)).body
  expect((await shop.call(`/v2/assets/${media[0].asset}`)).body).toMatchObject({ width: 30 })
})
