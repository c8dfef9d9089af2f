import { brightness, chosen, colorOf, mixed } from './colors.ts'
import type { Drawings, Variant } from './drawing.ts'
import { backpacks } from './products/backpacks.ts'
import { bulbs } from './products/bulbs.ts'
import { campGear } from './products/camp.ts'
import { cookware } from './products/cookware.ts'
import { crafts } from './products/crafts.ts'
import { deskAccessories } from './products/desk.ts'
import { games } from './products/games.ts'
import { gardenTools } from './products/garden-tools.ts'
import { knives } from './products/knives.ts'
import { notebooks } from './products/notebooks.ts'
import { outdoorLights } from './products/outdoor-lights.ts'
import { paperGoods } from './products/paper-goods.ts'
import { pendants } from './products/pendants.ts'
import { pens } from './products/pens.ts'
import { planters } from './products/planters.ts'
import { puzzles } from './products/puzzles.ts'
import { seeds } from './products/seeds.ts'
import { shoes } from './products/shoes.ts'
import { spices } from './products/spices.ts'
import { tableLamps } from './products/table-lamps.ts'
import { tableware } from './products/tableware.ts'
import { tents } from './products/tents.ts'
import { watering } from './products/watering.ts'
import { woodenToys } from './products/wooden-toys.ts'
import { servicesOf } from './services.ts'
import { setsOf } from './sets.ts'
import { box, repeat, stroke } from './svg.ts'

const lamps = { ...bulbs, ...outdoorLights, ...pendants, ...tableLamps }
const products: Drawings = {
  ...lamps,
  ...backpacks,
  ...campGear,
  ...cookware,
  ...crafts,
  ...deskAccessories,
  ...games,
  ...gardenTools,
  ...knives,
  ...notebooks,
  ...paperGoods,
  ...pens,
  ...planters,
  ...puzzles,
  ...seeds,
  ...shoes,
  ...spices,
  ...tableware,
  ...tents,
  ...watering,
  ...woodenToys,
}
const others = ['#4f8a8b', '#b0653f', '#5a6fa0', '#8a7a4a', '#7a5a86']
const variantOf = (name: string): Variant => ({ name, color: colorOf(name) ?? chosen(name, others) })
const drawings: Drawings = { ...products, ...setsOf(products, variantOf), ...servicesOf(products, variantOf) }

/** Backgrounds by the first letters of a product line: for most products, and for light ones. */
const backgrounds: Record<string, [pale: string, deep: string]> = {
  gar: ['#e9f0df', '#9fbf98'],
  kit: ['#f8eadb', '#cf9b7c'],
  lig: ['#7686a8', '#3b4560'],
  off: ['#e8eff5', '#93afc7'],
  out: ['#e1eeee', '#86adb3'],
  toy: ['#fae9d6', '#e3b184'],
}
const toyBackgrounds = ['#fae9d6', '#e4edf5', '#f6edcf', '#e6f0e0', '#f3e3ea']

/** The type and the variant of a picture, by its name such as `dome-tent-sand`. */
export function readName(name: string): { type: string; variant: string } {
  const types = Object.keys(drawings).filter((type) => name === type || name.startsWith(`${type}-`))
  const type = types.sort((a, b) => b.length - a.length)[0]
  if (type === undefined) throw new Error(`no drawing for ${name}`)
  return { type, variant: name.slice(type.length + 1) }
}

const middle = 'translate(200 204) scale(1.1) translate(-200 -212)'

/** The picture of a product, as SVG. */
export function drawProduct(line: string, name: string): string {
  const { type, variant } = readName(name)
  const own = variantOf(variant)
  return svg(
    box(0, 0, 400, 400, backgroundOf(line, type, own)) +
      `<g transform="${middle}">${drawings[type]?.(own) ?? ''}</g>`,
  )
}

/** A technical drawing for all variants of a product. Sets and services have none. */
export function drawBlueprint(name: string): string | undefined {
  const { type, variant } = readName(name)
  if (products[type] === undefined) return undefined
  const own = { name: variant, color: '#8fa3b3' }
  // Maps brightness to tones of blue.
  const tones = `<filter id="tones" color-interpolation-filters="sRGB"><feColorMatrix values=".22 .44 .08 0 .2  .19 .37 .07 0 .35  .13 .26 .05 0 .56  0 0 0 1 0"/></filter>`
  const grid = repeat(9, (index) =>
    stroke(`M${40 + index * 40} 0V400M0 ${40 + index * 40}H400`, '#4c7cb0', 1),
  )
  const arrows = stroke('M60 366H340M60 358V374M340 358V374M366 60V340M358 60H374M358 340H374', '#dcebf9', 3)
  return svg(
    `${tones + box(0, 0, 400, 400, '#3f6fa5') + grid}<g filter="url(#tones)" transform="translate(192 192) scale(.86) translate(-200 -206)">${products[type](own)}</g>${arrows}`,
  )
}

function svg(content: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 400 400">${content}</svg>`
}

function backgroundOf(line: string, type: string, { name, color }: Variant): string {
  const [pale, deep] = backgrounds[line.slice(0, 3)] ?? ['#eeeeee', '#9aa1a8']
  const isNamed = colorOf(name) !== undefined
  if (line.startsWith('lig') && !(isNamed && brightness(color) < 0.34)) return deep
  if (line.startsWith('toy')) return chosen(type + name, toyBackgrounds)
  if (isNamed && brightness(color) > 0.8) return deep
  return isNamed ? mixed(pale, color, 0.12) : pale
}
