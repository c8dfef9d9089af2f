import { readdirSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Encoding } from '../../../model/files/text-format.ts'
import { readHeader } from './tables.ts'

/** Identifies an export file by columns that it has and columns that it does not have. */
const kinds = {
  products: [['family', 'enabled'], []],
  models: [['code', 'family_variant', 'parent'], []],
  variants: [['code', 'family', 'variant-axes_1'], []],
  attributes: [['code', 'type', 'localizable'], []],
  options: [['code', 'attribute'], []],
  families: [['code', 'attributes', 'attribute_as_label'], []],
  attributeGroups: [
    ['code', 'sort_order'],
    ['attribute', 'type'],
  ],
  categories: [
    ['code', 'parent'],
    ['family_variant', 'type'],
  ],
} as const satisfies Record<string, readonly [readonly string[], readonly string[]]>

export type AkeneoFile = keyof typeof kinds
export type AkeneoFiles = { found: Partial<Record<AkeneoFile, string>>; unread: string[] }

/** The files of a folder, or a single file, by content. */
export async function findFiles(path: string, encoding: Encoding | undefined): Promise<AkeneoFiles> {
  const stats = statSync(path, { throwIfNoEntry: false })
  if (stats === undefined) throw new Error(`no such file or folder: ${path}`)
  const isFolder = stats.isDirectory()
  const files = isFolder ? csvFiles(path) : [path]
  const found: AkeneoFiles['found'] = {}
  const unread: string[] = []
  for (const file of files) {
    const kind = kindOf(await readHeader(file, encoding))
    if (kind === undefined) unread.push(basename(file))
    else if (found[kind] !== undefined)
      throw new Error(
        `${basename(found[kind])} and ${basename(file)} both contain ${kind}; keep one of them in the folder`,
      )
    else found[kind] = file
  }
  if (Object.keys(found).length === 0)
    throw new Error(
      `${path} contains no Akeneo CSV export; export products, product models, categories and the other types into it`,
    )
  return { found, unread }
}

function csvFiles(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => /\.csv$/i.test(name) && !/\.rejected\.csv$/i.test(name))
    .sort()
    .map((name) => join(folder, name))
}

function kindOf(header: readonly string[]): AkeneoFile | undefined {
  return (Object.keys(kinds) as AkeneoFile[]).find((kind) => {
    const [has, lacks] = kinds[kind] as readonly [readonly string[], readonly string[]]
    return has.every((name) => header.includes(name)) && !lacks.some((name) => header.includes(name))
  })
}
