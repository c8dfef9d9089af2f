import { statSync } from 'node:fs'
import { expect, test } from 'vitest'
import { detectType } from '../../platform/images/detect-type.ts'
import { readDimensions } from '../../platform/images/read-dimensions.ts'
import { readProducts } from './demo-data.ts'
import { isPictureAddress, openPictures, type Picture } from './demo-pictures.ts'

const media = readProducts().flatMap((product) => (product as { media?: { url: string }[] }).media ?? [])
const urls = [...new Set(media.map(({ url }) => url))].filter(isPictureAddress)

test('every picture that the demo data names has a file, and all together take at most 3 MB', async () => {
  const find = openPictures()
  expect(urls.length).toBeGreaterThan(800)
  expect(urls.filter((url) => find(url) === undefined)).toEqual([])
  const pictures = urls.map(find).filter((picture) => picture !== undefined)
  const files = new Set(pictures.flatMap(({ path, sizes }) => [path, ...Object.values(sizes)]))
  const bytes = [...files].reduce((sum, file) => sum + statSync(file).size, 0)
  expect(bytes).toBeLessThan(3_000_000)
})

test('pictures have thumbnails, so that no image is decoded', async () => {
  const { path, sizes } = requirePicture('https://images.example/out-ten/dome-tent-sand-1.jpg')
  for (const [file, edge] of [
    [path, 520],
    [sizes[256], 256],
    [sizes[64], 64],
  ] as const) {
    expect(await detectType(file)).toBe('image/webp')
    expect(await readDimensions(file, 'image/webp')).toEqual({ width: edge, height: edge })
  }
})

test('blueprints exist for products, but not for sets and services, and not for other addresses', () => {
  const find = openPictures()
  const { path } = requirePicture('https://images.example/out-ten/dome-tent-sand-2.jpg')
  expect(path).toMatch(/dome-tent\.blueprint\.webp$/)
  expect(find('https://images.example/out-srv/outdoor-gift-card-2.jpg')).toBeUndefined()
  expect(find('https://images.example/out-ten/../dome-tent-sand-1.jpg')).toBeUndefined()
  expect(isPictureAddress('https://images.example/out-ten/dome-tent-guide.pdf')).toBe(false)
})

function requirePicture(url: string): Picture {
  const picture = openPictures()(url)
  if (picture === undefined) throw new Error(`no picture at ${url}`)
  return picture
}
