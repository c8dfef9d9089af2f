import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { readProducts } from '../src/operations/demo/demo-data.ts'
import { drawBlueprint, drawProduct, readName } from './demo-pictures/picture.ts'
import { root } from './tree.ts'

/*
 * Draws the pictures of the demo products into src/operations/demo/data/pictures, where they are committed.
 *   npx node scripts/draw-demo-pictures.ts
 */

const folder = join(root, 'src/operations/demo/data/pictures')
const address = /^https:\/\/images\.example\/([^/]+)\/(.+)-[12]\.jpg$/

/** The names of all pictures, by product line. */
function namesByLine(): Map<string, Set<string>> {
  const lines = new Map<string, Set<string>>()
  const media = readProducts().flatMap((product) => (product as { media?: { url: string }[] }).media ?? [])
  for (const { url } of media) {
    const [, line, name] = address.exec(url) ?? []
    if (line === undefined || name === undefined) continue
    lines.set(line, (lines.get(line) ?? new Set()).add(name))
  }
  return lines
}

/** The drawings of a line by file name. Variants that look the same share the file of their type. */
function draw(line: string, names: Set<string>): Map<string, string> {
  const files = new Map<string, string>()
  const byType = Map.groupBy([...names].sort(), (name) => readName(name).type)
  for (const [type, variants] of byType) {
    const drawn = new Map(variants.map((name) => [name, drawProduct(line, name)]))
    if (new Set(drawn.values()).size === 1) files.set(type, drawProduct(line, variants[0] as string))
    else for (const [name, svg] of drawn) files.set(name, svg)
    const blueprint = drawBlueprint(variants[0] as string)
    if (blueprint !== undefined) files.set(`${type}.blueprint`, blueprint)
  }
  return files
}

/** Blueprints have no smaller files; these would not be much smaller. */
const forms = [
  { ending: '.webp', width: 520, quality: 52 },
  { ending: '.256.webp', width: 256, quality: 55 },
  { ending: '.64.webp', width: 64, quality: 60 },
]

rmSync(folder, { recursive: true, force: true })
let [count, bytes] = [0, 0]
for (const [line, names] of namesByLine()) {
  mkdirSync(join(folder, line), { recursive: true })
  for (const [name, svg] of draw(line, names)) {
    count += 1
    for (const { ending, width, quality } of name.endsWith('.blueprint') ? forms.slice(0, 1) : forms) {
      const image = sharp(Buffer.from(svg), { density: (width / 400) * 72 }).resize(width)
      const file = join(folder, line, `${name}${ending}`)
      bytes += (await image.webp({ quality, effort: 6 }).toFile(file)).size
    }
  }
}
console.log(`${count} pictures, ${(bytes / 1_000_000).toFixed(2)} MB`)
