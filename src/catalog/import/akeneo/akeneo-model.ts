import type { Encoding } from '../../../model/files/text-format.ts'
import { splitList } from '../rows/cells.ts'
import { type CellCounts, countCells, countNothing } from '../rows/tally.ts'
import { type AkeneoFile, type AkeneoFiles, findFiles } from './akeneo-files.ts'
import { readAttributes, usedColumns } from './attributes.ts'
import { categoryPaths } from './category-paths.ts'
import { definitionOf, type ImportedDefinition } from './definitions.ts'
import { type Families, readFamilies } from './families.ts'
import { type MiddleModel, middleModels } from './models.ts'
import { type Columns, type Languages, mapColumns } from './product-columns.ts'
import { readHeader, readTable, type Table } from './tables.ts'

/** The content of an export, except the products. */
export type AkeneoModel = {
  files: AkeneoFiles
  categories: Map<string, string[]>
  families: Families
  definitions: ImportedDefinition[]
  columns: Columns
  /** Models and products together. */
  header: string[]
  middle: Map<string, MiddleModel>
  /** Dropped cells of files other than products, and of models that no product uses. */
  counts(): ({ file: string } & CellCounts)[]
}

export async function readModel(
  path: string,
  encoding: Encoding | undefined,
  languages: Languages,
): Promise<AkeneoModel> {
  const { locale } = languages
  const files = await findFiles(path, encoding)
  const { found } = files
  const read = async (kind: AkeneoFile): Promise<Table | undefined> =>
    found[kind] === undefined ? undefined : await readTable(found[kind], encoding)
  const tables = {
    categories: await read('categories'),
    attributes: await read('attributes'),
    options: await read('options'),
    attributeGroups: await read('attributeGroups'),
    families: await read('families'),
    variants: await read('variants'),
  }
  const models = await read('models')
  const products = found.products === undefined ? [] : await readHeader(found.products, encoding)
  const header = [...new Set([...products, ...(models?.header ?? [])])]
  const categories = categoryPaths(tables.categories, locale)
  const families = readFamilies(tables.families, tables.variants, locale)
  const attributes = readAttributes(tables.attributes, tables.options, tables.attributeGroups, locale)
  const columns = mapColumns(header, attributes, families, categories, languages)
  const definitions = definitionsOf(attributes, columns, tables.attributes)
  dropRequirements(tables.families, new Set(definitions.map(({ name }) => name)))
  const middle = middleModels(found.products === undefined ? undefined : models)
  return {
    files,
    categories,
    families,
    columns,
    definitions,
    header,
    middle,
    counts: () => [
      ...Object.values(tables).flatMap((table) =>
        table === undefined ? [] : [{ file: table.file, ...table.tally.counts() }],
      ),
      ...(models === undefined ? [] : [{ file: models.file, ...unusedCounts(middle, models.header) }]),
    ],
  }
}

function unusedCounts(middle: ReadonlyMap<string, MiddleModel>, header: readonly string[]): CellCounts {
  const tally = countCells()
  for (const { cell, isUsed } of middle.values()) {
    tally.beginRow()
    for (const name of isUsed ? [] : header)
      if (cell(name) !== '') tally.drop(name, 'product model without products')
  }
  return tally.counts()
}

/** Only definitions of plain attributes have requirements, not product fields and localized attributes. */
function dropRequirements(table: Table | undefined, defined: ReadonlySet<string>): void {
  for (const cell of table?.rows ?? []) {
    table?.tally.beginRow()
    for (const name of table?.header ?? [])
      if (name.startsWith('requirements-') && splitList(cell(name), ',').some((code) => !defined.has(code)))
        table?.tally.drop(name, 'requirement for a product field or localized attribute')
  }
}

/** One definition per attribute column, and for attributes without products. */
function definitionsOf(
  attributes: ReturnType<typeof readAttributes>,
  { attributes: byColumn, fields }: Columns,
  table: Table | undefined,
): ImportedDefinition[] {
  return [...attributes.values()].flatMap((attribute) => {
    const tally = table?.tally ?? countNothing
    const own = [...byColumn].flatMap(([column, { code }]) => (code === attribute.code ? [column] : []))
    const isField =
      fields.has(attribute.code) || ['identifier', 'image', 'price_collection'].includes(attribute.kind)
    if (own.length === 0 && isField) {
      tally.beginRow()
      for (const name of usedColumns(attribute))
        if (attribute.cell(name) !== '') tally.drop(name, 'definition of a product field')
      return []
    }
    const columns = own.length === 0 ? [attribute.code] : own
    return columns.map((column, at) => definitionOf(attribute, column, at === 0 ? tally : countNothing))
  })
}
