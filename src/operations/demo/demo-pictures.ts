import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { MadeSizes } from '../../catalog/assets/store-asset.ts'
import type { ImageSize } from '../../model/assets/asset-urls.ts'

/*
 * The pictures that scripts/draw-demo-pictures.ts draws. The data names them by addresses, such as
 * https://images.example/out-ten/dome-tent-sand-1.jpg: a product line, a type, a variant, and 1 for the product or 2 for its blueprint.
 */

/** The job that loads the pictures of demo products. */
export const pictureKind = 'demo.pictures'

const folder = fileURLToPath(new URL('data/pictures/', import.meta.url))
const address = /^https:\/\/images\.example\/([^/]+)\/(.+)-([12])\.jpg$/

/** Whether the address is that of a picture in the demo data. */
export function isPictureAddress(url: string): boolean {
  return address.test(url)
}

export type Picture = { path: string; sizes: MadeSizes }

/** Finds a picture by its address. Its thumbnails are files too, so that no image is decoded. */
export function openPictures(): (url: string) => Picture | undefined {
  const files = new Set(readdirSync(folder, { recursive: true, encoding: 'utf8' }))
  return (url) => {
    const [, line, words = '', number] = address.exec(url) ?? []
    // Variants that look the same share the file of their type.
    for (let name = words; name !== ''; name = name.slice(0, Math.max(name.lastIndexOf('-'), 0))) {
      const base = `${line}/${name}${number === '2' ? '.blueprint' : ''}`
      if (!files.has(`${base}.webp`)) continue
      const path = `${folder}${base}.webp`
      const sized = (size: ImageSize) =>
        files.has(`${base}.${size}.webp`) ? `${folder}${base}.${size}.webp` : path
      return { path, sizes: { 64: sized(64), 256: sized(256), 1024: path, 2048: path } }
    }
    return undefined
  }
}
