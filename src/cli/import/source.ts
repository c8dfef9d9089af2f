import type { PushMode } from '../../products/push/apply-lines.ts'
import type { ImportFormat } from './import-file.ts'
import type { Losses } from './losses.ts'
import { mapped } from './map/mapped.ts'
import { readMap } from './map/read-map.ts'
import { ownColumns } from './own-columns.ts'
import type { RowReader } from './row-lines.ts'
import { shopify } from './sources/shopify.ts'
import { woocommerce } from './sources/woocommerce.ts'

export const systems = ['woocommerce', 'shopify'] as const
export type SourceOptions = {
  from?: (typeof systems)[number]
  map?: string
  rest?: 'attributes'
  mediaBase?: string
  mode: PushMode
  format?: ImportFormat
}

/** Whether the columns are those of another system. */
export function isForeign({ from, map }: SourceOptions): boolean {
  return from !== undefined || map !== undefined
}

/** How the columns of a CSV are read: by what they are in another system, by a map, or as our own. */
export function sourceOf(file: string, options: SourceOptions): ReaderOf {
  refuseMisuse(file, options)
  const isRestKept = options.rest !== undefined
  const mediaBase = options.mediaBase?.replace(/\/+$/, '')
  if (options.from === 'woocommerce') return once((header, losses) => woocommerce(header, losses, isRestKept))
  if (options.from === 'shopify') return once((header, losses) => shopify(header, losses, isRestKept))
  if (options.map === undefined) return (header) => ownColumns(header, isRestKept)
  const map = readMap(options.map)
  return once((header, losses) => mapped(map, header, { losses, isRestKept, mediaBase }))
}

type ReaderOf = (header: string[], losses: Losses) => RowReader

/** Of two columns with one name the one would be lost, and nobody told. */
function once(readerOf: ReaderOf): ReaderOf {
  return (header, losses) => {
    const names = header.map((name) => name.trim())
    const twice = names.filter((name, at) => name !== '' && names.indexOf(name) !== at)
    if (twice.length > 0)
      throw new Error(
        `these columns stand twice: ${[...new Set(twice)].map((name) => `"${name}"`).join(', ')}; rename or remove one of each`,
      )
    return readerOf(header, losses)
  }
}

function refuseMisuse(file: string, options: SourceOptions): void {
  const { from, map, mode, format, mediaBase } = options
  if (from !== undefined && map !== undefined) throw new Error('say --from or --map, not both')
  if (mediaBase !== undefined && map === undefined) throw new Error('--media-base goes with --map')
  if (mediaBase !== undefined && !mediaBase.startsWith('https://'))
    throw new Error('--media-base is an https address')
  if (!isForeign(options)) return
  if (format !== undefined && format !== 'csv') throw new Error('--from and --map read CSV files')
  if (file === '-')
    throw new Error(
      'files of other systems are read several times, and standard input is not; save it as a file',
    )
  if (mode === 'create')
    throw new Error(
      'products of other systems are written in several steps, which --mode create would refuse',
    )
}
