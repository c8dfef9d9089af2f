import { statSync } from 'node:fs'
import type { AttributeDefinition } from '../../model/attributes/attribute-definition.schema.ts'
import type { Encoding } from '../../model/files/text-format.ts'
import type { PushMode } from '../../model/product/push-input.schema.ts'
import type { Views } from '../../model/views/views.ts'
import { readExportColumns } from './export-columns.ts'
import type { ImportFormat } from './import-file.ts'
import { mapped } from './map/mapped.ts'
import { readMap } from './map/read-map.ts'
import { withUnits } from './map/with-units.ts'
import { typesOf } from './rows/cell-types.ts'
import { localPrefix } from './rows/cells.ts'
import type { RowReader } from './rows/row-lines.ts'
import type { SourceContext } from './rows/source-context.ts'
import type { Tally } from './rows/tally.ts'
import { shopify } from './sources/shopify.ts'
import { vendure } from './sources/vendure.ts'
import { woocommerce } from './sources/woocommerce.ts'

const readers = { woocommerce, shopify, vendure }
export const systems = [...(Object.keys(readers) as (keyof typeof readers)[]), 'akeneo'] as const
export type SourceOptions = {
  from?: (typeof systems)[number]
  map?: string
  rest?: 'attributes'
  mediaBase?: string
  locale?: string
  unit?: string[]
  mode: PushMode
  format?: ImportFormat
  encoding?: Encoding
}

/** Whether the file comes from another system. */
export function isForeign({ from, map }: SourceOptions): boolean {
  return from !== undefined || map !== undefined
}

/** The project settings that affect how values are read. */
export type ProjectFacts = {
  currency: string
  definitions: readonly AttributeDefinition[]
  views: Views | undefined
}

/** Chooses how to read the columns of a CSV: as another system's, with a map, or as our own export. */
export function sourceOf(file: string, options: SourceOptions, project: ProjectFacts): ReaderOf {
  checkOptions(file, options)
  const reader = readerOf(options)
  const own = { keepsRest: options.rest !== undefined, views: [...(project.views?.byCode.keys() ?? [])] }
  return reader === undefined
    ? (header, tally) => readExportColumns(header, own, tally)
    : foreignReader(reader, options, project)
}

/** Adds the context to a reader for another system. */
export function foreignReader(
  reader: (header: string[], context: SourceContext) => RowReader,
  options: SourceOptions,
  project: ProjectFacts,
): ReaderOf {
  const common = {
    keepsRest: options.rest !== undefined,
    mediaBase: baseOf(options.mediaBase),
    locale: options.locale,
    currency: project.currency,
    views: project.views,
    typeOf: typesOf(project.definitions),
  }
  return (header, tally) => {
    rejectDuplicates(header)
    return reader(header, { ...common, tally })
  }
}

/** Images in a folder are uploaded later (local-images.ts). */
function baseOf(mediaBase: string | undefined): string | undefined {
  const isFolder = mediaBase !== undefined && !mediaBase.startsWith('https:')
  return isFolder ? localPrefix.slice(0, -1) : mediaBase?.replace(/\/+$/, '')
}

export type ReaderOf = (header: string[], tally: Tally) => RowReader

/** Returns undefined for our own columns. */
function readerOf({ from, map: name, unit }: SourceOptions) {
  if (from !== undefined && from !== 'akeneo') return readers[from]
  if (name === undefined) return undefined
  const map = withUnits(readMap(name), unit)
  return (header: string[], context: SourceContext) => mapped(map, header, context)
}

/** One of two columns with the same name would be dropped without a message. */
function rejectDuplicates(header: readonly string[]): void {
  const names = header.map((name) => name.trim())
  const twice = names.filter((name, at) => name !== '' && names.indexOf(name) !== at)
  if (twice.length > 0)
    throw new Error(
      `these columns occur twice: ${[...new Set(twice)].map((name) => `"${name}"`).join(', ')}; rename or remove one of each`,
    )
}

export function checkOptions(file: string, options: SourceOptions): void {
  const { from, map, mode, format, mediaBase } = options
  if (from !== undefined && map !== undefined) throw new Error('use either --from or --map, not both')
  if (mediaBase !== undefined && !isForeign(options)) throw new Error('--media-base requires --from or --map')
  if (options.locale !== undefined && !isForeign(options))
    throw new Error('--locale requires --from or --map')
  if (options.unit !== undefined && map === undefined) throw new Error('--unit requires --map')
  const isFolder = mediaBase !== undefined && statSync(mediaBase, { throwIfNoEntry: false })?.isDirectory()
  if (mediaBase !== undefined && !mediaBase.startsWith('https://') && isFolder !== true)
    throw new Error('--media-base must be an https URL or a folder')
  if (!isForeign(options)) return
  if (format !== undefined && format !== 'csv') throw new Error('--from and --map read only CSV files')
  if (file === '-')
    throw new Error(
      '--from and --map read the input several times, so it cannot be standard input; save it as a file',
    )
  if (mode === 'create')
    throw new Error('--from and --map write products in several steps, so they do not support --mode create')
}
