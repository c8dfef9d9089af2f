import { type Scalar, scalarOf, type TypeOf } from '../rows/cell-types.ts'
import { oneOrSeveral, splitList } from '../rows/cells.ts'
import type { ProductLine } from '../rows/row-lines.ts'
import type { Tally } from '../rows/tally.ts'

/** A cell with several parts, its column, and how to read its values. */
export type FormCell = { cell: string; column: string; tally: Tally; typeOf: TypeOf }

const name = '[\\p{L}\\p{N}_.-]+'
const quoted = '"(?:[^"]|"")*"'
const several = `${quoted}(?:\\|${quoted})*`
/** A quoted value ends at its last quote, others at a comma that a name follows. */
const pair = new RegExp(`(?:^|,)\\s*(${name})=(${several}(?=,${name}=|\\s*$)|.*?(?=,${name}=|$))`, 'gsu')
const valuesInQuotes = new RegExp(`^${several}$`)

/** `color=Red,activity=Gym|Hiking`, also with `"Gym"|"Hiking"`; a comma that no name follows is part of a value. */
export function pairsOf({ cell, column, tally, typeOf }: FormCell): NonNullable<ProductLine['attributes']> {
  const pairs = new Map<string, Scalar | Scalar[]>()
  for (const [, key = '', text = ''] of cell.matchAll(pair)) {
    const value = oneOrSeveral(valuesOf(text.trim()).map((one) => scalarOf(one, typeOf(key))))
    if (value === undefined) continue
    if (pairs.has(key)) tally.drop(column, 'part with a repeated attribute')
    else pairs.set(key, value)
  }
  if (cell.replace(pair, '').trim() !== '') tally.drop(column, 'part without "name="')
  return Object.fromEntries(pairs)
}

function valuesOf(text: string): string[] {
  if (!valuesInQuotes.test(text)) return splitList(text, '|')
  const values = text.match(new RegExp(quoted, 'g')) ?? []
  return values.map((value) => value.slice(1, -1).replaceAll('""', '"').trim()).filter(Boolean)
}

/** Keys of a variant that are not axes. */
const nonAxisKeys = ['price', 'display', 'image', 'position', 'default']

/** `sku=TEE-S,size=S|sku=TEE-M,size=M`: the SKU of each variant, with its values by axis. */
export function variantsOf({ cell, column, tally, typeOf }: FormCell) {
  return splitList(cell, '|').map((variant) => {
    const pairs = wordsOf(variant, column, tally)
    const others = [...pairs].filter(([key]) => key !== 'sku')
    const axes = others.filter(([key]) => !nonAxisKeys.includes(key))
    if (axes.length < others.length) tally.drop(column, `${nonAxisKeys.join(', ')} of variants`)
    const values = axes.map(([key, value]): [string, Scalar] => [key, scalarOf(value, typeOf(key))])
    return { sku: pairs.get('sku') ?? '', axes: Object.fromEntries(values) }
  })
}

const choiceWords = ['name', 'sku', 'default_qty', 'default']

/** `name=Lens,required=1,sku=L50,default_qty=1.0000,default=1|…`: the choices of a bundle. */
export function bundleOf({ cell, column, tally }: FormCell): NonNullable<ProductLine['components']> {
  return splitList(cell, '|').map((choice) => {
    const words = wordsOf(choice, column, tally)
    const others = [...words.keys()].filter((word) => !choiceWords.includes(word) && words.get(word) !== '')
    if (others.length > 0) tally.drop(column, 'details of bundle choices, such as type, required and price')
    return {
      sku: words.get('sku') ?? '',
      quantity: Number(words.get('default_qty')) || 1,
      ...(words.has('name') && { choice: words.get('name') ?? '' }),
      ...(words.has('name') && words.get('default') === '1' && { default: true }),
    }
  })
}

/** `CUP=1.0000,PLATE=0.0000`: SKUs with their quantities. Groups use 0 for products that are not preselected. */
export function quantitiesOf({ cell, column, tally }: FormCell): NonNullable<ProductLine['components']> {
  return splitList(cell, ',').map((member) => {
    const [sku = '', quantity = '1', ...more] = splitList(member, '=')
    if (more.length > 0) tally.drop(column, 'part with several "="')
    if (!Number(quantity)) tally.change(column, 'quantity is 0 or not a number; stored as 1')
    return { sku, quantity: Number(quantity) || 1 }
  })
}

function wordsOf(text: string, column: string, tally: Tally): Map<string, string> {
  const words = new Map<string, string>()
  for (const pair of text.split(/,(?=[\w.-]+=)/)) {
    const at = pair.indexOf('=')
    if (at < 1) tally.drop(column, 'part without "name="')
    else words.set(pair.slice(0, at).trim(), pair.slice(at + 1).trim())
  }
  return words
}
