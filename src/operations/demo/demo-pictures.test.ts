import { statSync } from 'node:fs'
import { expect, test } from 'vitest'
import { detectType } from '../../platform/images/detect-type.ts'
import { readDimensions } from '../../platform/images/read-dimensions.ts'
import { readProducts } from './demo-data.ts'
import { isPictureAddress, openPictures } from './demo-pictures.ts'

const media = readProducts().flatMap((product) => (product as { media?: { url: string }[] }).media ?? [])
const urls = [...new Set(media.map(({ url }) => url))].filter(isPictureAddress)

test('every demo product with an image has a picture, and all together take at most 3 MB', async () => {
  const find = openPictures()
  const first = urls.filter((url) => url.endsWith('-1.jpg'))
  expect(first.length).toBeGreaterThan(450)
  expect(first.filter((url) => find(url) === undefined)).toEqual([])
  const files = [...new Set(urls.map(find))].filter((file) => file !== undefined)
  expect(files.reduce((sum, file) => sum + statSync(file).size, 0)).toBeLessThan(3_000_000)
  const [sample = ''] = files
  expect(await detectType(sample)).toBe('image/webp')
  expect(await readDimensions(sample, 'image/webp')).toEqual({ width: 700, height: 700 })
})

test('blueprints exist for products, but not for sets and services, and not for other addresses', () => {
  const find = openPictures()
  expect(find('https://images.example/out-ten/dome-tent-sand-2.jpg')).toMatch(/dome-tent\.blueprint\.webp$/)
  expect(find('https://images.example/out-srv/outdoor-gift-card-2.jpg')).toBeUndefined()
  expect(find('https://images.example/out-ten/../dome-tent-sand-1.jpg')).toBeUndefined()
  expect(isPictureAddress('https://images.example/out-ten/dome-tent-guide.pdf')).toBe(false)
})
