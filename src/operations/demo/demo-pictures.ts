import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/*
 * The pictures that scripts/draw-demo-pictures.ts draws. The data names them by addresses, such as
 * https://images.example/out-ten/dome-tent-sand-1.jpg: a product line, a type, a variant, and 1 for the product or 2 for its blueprint.
 */

const folder = fileURLToPath(new URL('data/pictures/', import.meta.url))
const address = /^https:\/\/images\.example\/([^/]+)\/(.+)-([12])\.jpg$/

/** Whether the address is that of a picture in the demo data. */
export function isPictureAddress(url: string): boolean {
  return address.test(url)
}

/** Finds the file with a picture by its address. */
export function openPictures(): (url: string) => string | undefined {
  const files = new Set(readdirSync(folder, { recursive: true, encoding: 'utf8' }))
  return (url) => {
    const [, line, name = '', number] = address.exec(url) ?? []
    const words = name.split('-')
    // Variants that look the same share the file of their type.
    for (let length = words.length; length > 0; length -= 1) {
      const file = `${line}/${words.slice(0, length).join('-')}${number === '2' ? '.blueprint' : ''}.webp`
      if (files.has(file)) return folder + file
    }
    return undefined
  }
}
