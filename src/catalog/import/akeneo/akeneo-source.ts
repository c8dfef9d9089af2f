import type { Draft } from '../map/map-cell.ts'
import { mapped } from '../map/mapped.ts'
import type { Cell } from '../rows/cells.ts'
import type { Row, RowReader } from '../rows/row-lines.ts'
import type { SourceContext } from '../rows/source-context.ts'
import type { AkeneoModel } from './akeneo-model.ts'
import { familyPath } from './families.ts'

/** Reads a file of products or product models. */
export function akeneo(model: AkeneoModel, names: readonly string[], context: SourceContext): RowReader {
  const own = names.map((name) => name.trim())
  const isModels = own.includes('family_variant')
  // A variant inherits the values of its model, also from columns that only models have.
  const more = model.header.filter((name) => !own.includes(name) && !modelColumns.includes(name))
  const header = [...own, ...more, middleColumn]
  const reader = mapped(model.columns.map, isModels ? own : header, context, {
    prepare: (cells) => (isModels ? cells : withModel(model, header, cells)),
    finish: (draft, cell) => addFamily(model, draft, cell),
  })
  const [codeAt, parentAt] = [own.indexOf('code'), own.indexOf('parent')]
  const isMiddle = ({ cells }: Row) => isModels && (cells[parentAt] ?? '').trim() !== ''
  return {
    take(row) {
      const isTaken = model.middle.has((row.cells[codeAt] ?? '').trim())
      return isMiddle(row) && isTaken ? [] : reader.take(row)
    },
    end: () => reader.end(),
  }
}

const modelColumns = ['code', 'family_variant']
/** Stores the code of a model that does not become a product. */
const middleColumn = 'akeneo_model'

function withModel({ middle }: AkeneoModel, header: readonly string[], cells: readonly string[]): string[] {
  const at = header.indexOf('parent')
  const found = middle.get((cells[at] ?? '').trim())
  if (found === undefined) return [...cells]
  found.isUsed = true
  const filled = header.map((name, place) => {
    const cell = cells[place] ?? ''
    return cell.trim() === '' ? found.cell(name) : cell
  })
  filled[at] = found.root
  filled[header.length - 1] = found.code
  return filled
}

/** Products and parents get the family as a category; variants inherit it. */
function addFamily({ families }: AkeneoModel, draft: Draft, cell: Cell): void {
  const variant = cell('family_variant')
  const axes = families.axes.get(variant)
  if (axes !== undefined) draft.variant_axes = axes
  const family = variant === '' ? cell('family') : (families.familyOf.get(variant) ?? '')
  const label = families.labels.get(family)
  if (label === undefined) return
  draft.attributes['family'] ??= label
  if (draft.parent === undefined)
    draft.categories = [...(draft.categories ?? []), { path: familyPath(label) }]
}
