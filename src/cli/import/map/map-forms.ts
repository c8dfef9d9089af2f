import { oneOrSeveral, scalarOf, splitList } from '../cells.ts'
import type { Losses } from '../losses.ts'
import type { ProductLine } from '../row-lines.ts'

/** What a variant is told besides its axes. */
const noAxis = ['sku', 'price', 'display', 'image', 'position', 'default']

const name = '[\\p{L}\\p{N}_.-]+'
const quoted = '"(?:[^"]|"")*"'
const several = `${quoted}(?:\\|${quoted})*`
/** Values in quotes go to their last quote; others to a comma that a name follows. */
const pair = new RegExp(`(?:^|,)\\s*(${name})=(${several}(?=,${name}=|\\s*$)|.*?(?=,${name}=|$))`, 'gsu')
const valuesInQuotes = new RegExp(`^${several}$`)

/** `color=Red,activity=Gym|Hiking`, also with `"Gym"|"Hiking"`; a comma that no name follows is part of a value. */
export function pairsOf(cell: string): NonNullable<ProductLine['attributes']> {
  const pairs = [...cell.matchAll(pair)].flatMap(([, key = '', text = '']) => {
    const value = oneOrSeveral(valuesOf(text.trim()).map(scalarOf))
    return value === undefined ? [] : [[key, value]]
  })
  return Object.fromEntries(pairs)
}

function valuesOf(text: string): string[] {
  if (!valuesInQuotes.test(text)) return splitList(text, '|')
  const values = text.match(new RegExp(quoted, 'g')) ?? []
  return values.map((value) => value.slice(1, -1).replaceAll('""', '"').trim()).filter(Boolean)
}

/** `sku=TEE-S,size=S|sku=TEE-M,size=M`: the SKU of each variant, with its values by axis. */
export function variantsOf(cell: string): { sku: string; axes: Record<string, string | number | boolean> }[] {
  return splitList(cell, '|').map((variant) => {
    const pairs = wordsOf(variant)
    const axes = [...pairs]
      .filter(([name]) => !noAxis.includes(name))
      .map(([name, value]) => [name, scalarOf(value)])
    return { sku: pairs.get('sku') ?? '', axes: Object.fromEntries(axes) }
  })
}

/** `name=Lens,required=1,sku=L50,default_qty=1.0000,default=1|…`: the choices of a bundle. */
export function bundleOf(cell: string, losses: Losses): NonNullable<ProductLine['components']> {
  const options = splitList(cell, '|').map(wordsOf)
  if (options.some((words) => Number(words.get('price')))) losses.add('prices of choices in bundles')
  if (options.some((words) => words.get('required') === '0'))
    losses.add('choices in bundles that may be left out')
  return options.map((words) => {
    return {
      sku: words.get('sku') ?? '',
      quantity: Number(words.get('default_qty')) || 1,
      ...(words.has('name') && { choice: words.get('name') ?? '' }),
      ...(words.has('name') && words.get('default') === '1' && { default: true }),
    }
  })
}

/** `CUP=1.0000,PLATE=0.0000`: SKUs with their quantities; a group says 0 for what is not chosen beforehand. */
export function quantitiesOf(cell: string): NonNullable<ProductLine['components']> {
  return splitList(cell, ',').map((member) => {
    const [sku = '', quantity] = splitList(member, '=')
    return { sku, quantity: Number(quantity) || 1 }
  })
}

function wordsOf(text: string): Map<string, string> {
  return new Map(
    text.split(/,(?=[\w.-]+=)/).map((pair) => {
      const at = pair.indexOf('=')
      return [pair.slice(0, at).trim(), pair.slice(at + 1).trim()]
    }),
  )
}
