import { productLimits } from '../../../model/limits/products.ts'
import { scalarOf } from './cell-types.ts'
import type { ProductLine } from './row-lines.ts'
import type { SourceContext } from './source-context.ts'

type OtherColumns = {
  context: SourceContext
  /** Why a cell is dropped. */
  reason: string
  /** Default values, in lower case, which do not become attributes. */
  defaults?: Record<string, string>
  defaultOf?: (name: string) => string
}

/** Columns that a source does not use become attributes with the names of the columns, or dropped cells. */
export function otherColumns(
  header: readonly string[],
  isTaken: (name: string) => boolean,
  { context, reason, defaults = {}, defaultOf = (name) => name }: OtherColumns,
): (cells: readonly string[]) => NonNullable<ProductLine['attributes']> {
  const { tally, keepsRest, typeOf } = context
  const defaultValues = new Map(Object.entries(defaults))
  const others = [...header.entries()].filter(
    ([, name]) => name !== '' && name !== 'errors' && !isTaken(name),
  )
  return (cells) => {
    const kept: [string, ReturnType<typeof scalarOf>][] = []
    for (const [at, name] of others) {
      const cell = (cells[at] ?? '').trim()
      if (cell === '') continue
      if (defaultValues.get(defaultOf(name)) === cell.toLowerCase())
        tally.drop(name, 'default value of the shop')
      else if (!keepsRest) tally.drop(name, reason)
      else if (cell.length > productLimits.attributeValueCharacters) tally.drop(name, tooLong)
      else kept.push([name.slice(0, productLimits.attributeNameCharacters), scalarOf(cell, typeOf(name))])
    }
    return Object.fromEntries(kept)
  }
}

export const tooLong = `longer than ${productLimits.attributeValueCharacters.toLocaleString('en')} characters, the limit for attributes`
