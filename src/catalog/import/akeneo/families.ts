import { splitList } from '../rows/cells.ts'
import { distinctNames, dropOthers, labelOf, type Table, toOneLine } from './tables.ts'

/** The parent category of all families. A family's requirements apply to the products of its category. */
const familiesRoot = 'Families'

export type Families = {
  labels: Map<string, string>
  /** Families that require an attribute, by attribute. */
  requiredBy: Map<string, string[]>
  /** The attribute that most families use as the product name. */
  nameAttribute: string | undefined
  /** Axes of the variants, by family variant. */
  axes: Map<string, string[]>
  familyOf: Map<string, string>
  /** Attributes of variants that their parents do not have. */
  ofVariants: Set<string>
}

export function familyPath(label: string): string[] {
  return [familiesRoot, label]
}

/** The family categories and their parent. */
export function familyPaths({ labels }: Pick<Families, 'labels'>): string[][] {
  return labels.size === 0 ? [] : [[familiesRoot], ...[...labels.values()].map(familyPath)]
}

export function readFamilies(
  families: Table | undefined,
  variants: Table | undefined,
  locale: string | undefined,
): Families {
  const labels = new Map<string, string>()
  const requiredBy = new Map<string, string[]>()
  const nameCounts = new Map<string, number>()
  for (const cell of families?.rows ?? []) {
    const table = families as Table
    table.tally.beginRow()
    const requirements = table.header.filter((name) => name.startsWith('requirements-'))
    dropOthers(table, cell, ['code', 'attribute_as_label', ...requirements])
    labels.set(cell('code'), toOneLine(labelOf(table, cell, locale)))
    const name = cell('attribute_as_label')
    nameCounts.set(name, (nameCounts.get(name) ?? 0) + 1)
    for (const attribute of new Set(requirements.flatMap((column) => splitList(cell(column), ','))))
      requiredBy.getOrInsert(attribute, []).push(cell('code'))
  }
  const [nameAttribute] = [...nameCounts].sort(([, one], [, other]) => other - one)[0] ?? []
  return { labels: distinctNames(labels), requiredBy, nameAttribute, ...readVariants(variants) }
}

function readVariants(table: Table | undefined): Pick<Families, 'axes' | 'familyOf' | 'ofVariants'> {
  const axes = new Map<string, string[]>()
  const familyOf = new Map<string, string>()
  const ofVariants = new Set<string>()
  for (const cell of table?.rows ?? []) {
    const { tally, header } = table as Table
    tally.beginRow()
    const listed = (prefix: string) =>
      header.filter((name) => name.startsWith(prefix)).flatMap((name) => splitList(cell(name), ','))
    axes.set(cell('code'), listed('variant-axes_'))
    familyOf.set(cell('code'), cell('family'))
    for (const name of listed('variant-attributes_')) ofVariants.add(name)
    for (const name of header)
      if (name.startsWith('label-') && cell(name) !== '') tally.drop(name, 'name of a family variant')
  }
  return { axes, familyOf, ofVariants }
}
