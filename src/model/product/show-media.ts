import { assetId } from '../assets/asset-id.ts'
import { readAssetPath, sizePath } from '../assets/asset-urls.ts'
import type { MediaItem } from '../fields/media.schema.ts'
import { readViewPath, viewKey } from '../fields/view-paths.ts'
import { viewsIn } from '../views/view-values.ts'

/** The size of the images in lists. */
const thumbnailSize = 256

/** An item is stored with the path of its asset. Any other URL has a scheme. */
export function isAsset({ url }: Pick<MediaItem, 'url'>): boolean {
  return url.startsWith('/')
}

/** The hashes of the assets among stored items. */
export function assetHashes(media: readonly MediaItem[]): string[] {
  return media.flatMap((item) => (isAsset(item) ? (readAssetPath(item.url)?.hash ?? []) : []))
}

/** Stored items as responses show them. Items that are not assets do not change. */
export function showMedia(media: MediaItem[], baseUrl: () => string): MediaItem[] {
  return media.some(isAsset) ? media.map((item) => showItem(item, baseUrl())) : media
}

function showItem(item: MediaItem, baseUrl: string): MediaItem {
  const found = isAsset(item) ? readAssetPath(item.url) : undefined
  if (found === undefined) return item
  const { mediaKey, hash } = found
  const thumbnail = item.kind === 'image' ? baseUrl + sizePath(mediaKey, hash, thumbnailSize) : null
  return { ...item, url: baseUrl + item.url, asset: assetId(hash), thumbnail }
}

/** An item in a file: an asset has its ID, because the file can be imported by a service with another URL. */
export type ExportedMediaItem = MediaItem | Omit<Required<MediaItem>, 'url' | 'thumbnail'>

export function exportMedia(media: MediaItem[]): ExportedMediaItem[] {
  if (!media.some(isAsset)) return media
  return media.map((item) => {
    const { asset, kind, alt, title } = showItem(item, '')
    return asset === undefined ? item : { asset, kind, alt, title }
  })
}

/** The fields of a product, of which `media` may be one, as responses show them. */
export function showFields<Fields extends object | null | undefined>(
  fields: Fields,
  baseUrl: () => string,
): Fields {
  const media = (fields as { media?: unknown } | null | undefined)?.media
  const shown = Array.isArray(media) ? { ...fields, media: showMedia(media, baseUrl) } : fields
  const views = [...viewsIn(shown ?? {})].filter(([, values]) => values.media !== undefined)
  if (views.length === 0) return shown
  return {
    ...shown,
    ...Object.fromEntries(views.map(([code, values]) => [viewKey(code), showFields(values, baseUrl)])),
  } as Fields
}

/** Changes by field, of which `media` may be one, with their values on each side. */
export function showChanges<Changes extends Record<string, object>>(
  changes: Changes,
  baseUrl: () => string,
): Changes {
  const isMedia = (field: string) => field === 'media' || readViewPath(field)?.field === 'media'
  const shown = Object.entries(changes).flatMap(([field, sides]): [string, object][] =>
    isMedia(field) ? [[field, showSides(sides, baseUrl)]] : [],
  )
  return shown.length === 0 ? changes : { ...changes, ...Object.fromEntries(shown) }
}

function showSides(sides: object, baseUrl: () => string): object {
  return Object.fromEntries(
    Object.entries(sides).map(([side, media]) => [
      side,
      Array.isArray(media) ? showMedia(media, baseUrl) : media,
    ]),
  )
}
