import type { BodyError } from '../../platform/http/problems.ts'
import { assetId, hashOfAssetId } from '../assets/asset-id.ts'
import type { AssetKind } from '../assets/asset-types.ts'
import { assetPath, readAssetUrl } from '../assets/asset-urls.ts'
import type { MediaInputItem, MediaItem } from '../fields/media.schema.ts'
import { viewKey } from '../fields/view-paths.ts'
import type { ViewContent, ViewsPatch } from '../views/view-values.ts'
import { isAsset } from './show-media.ts'

/** The media key of a project, and the kinds of the assets that writes name and the project has, by hash. */
export type FoundAssets = { mediaKey: string; kinds: ReadonlyMap<string, AssetKind> }

/** The hash in an item that may name an asset. Only the project's key shows whether a URL does. */
export function namedHash({ asset, url = '' }: MediaInputItem): string | undefined {
  return asset === undefined ? readAssetUrl(url)?.hash : hashOfAssetId(asset)
}

/** Whether a write needs the assets of the project. */
export function mayNameAssets(media: readonly MediaInputItem[] = []): boolean {
  return media.some((item) => namedHash(item) !== undefined)
}

type Resolved = { media: MediaItem[] | undefined; errors: BodyError[] }

const noErrors: BodyError[] = []

/**
 * The items of a write as they are stored: an asset as its path, which older releases show as its URL. The current items of the
 * product stay valid if their files are erased.
 */
export function resolveMedia(
  media: MediaInputItem[] | undefined,
  current: readonly MediaItem[],
  found: FoundAssets | undefined,
): Resolved {
  if (media === undefined || (found === undefined && !media.some(hasThumbnail)))
    return { media: media as MediaItem[] | undefined, errors: noErrors }
  const errors: BodyError[] = []
  const resolved = media.map((item, index): MediaItem => {
    const { asset, url = '', kind, alt, title } = item
    const hash = namedHash(item)
    const isOwn = asset !== undefined || readAssetUrl(url)?.mediaKey === found?.mediaKey
    // The file of another project or service is a URL like any other.
    if (hash === undefined || (!isOwn && url.startsWith('https:'))) return { url, kind, alt, title }
    const stored = isOwn ? (storedAs(hash, found) ?? heldAs(hash, current)) : undefined
    if (stored === undefined) errors.push(unknownAsset(index, item, isOwn ? assetId(hash) : url))
    return { url, kind, alt, title, ...stored }
  })
  return { media: resolved, errors }
}

/** The media of views in a write, for lookups. */
export function viewMedia(views: ViewsPatch | undefined): MediaInputItem[][] {
  return Object.values(views ?? {}).flatMap((values) => (values?.media ? [values.media] : []))
}

/** The views of a write with their media as they are stored. */
export function resolveViews(
  views: ViewsPatch | undefined,
  current: ViewContent | undefined,
  found: FoundAssets | undefined,
): { views: ViewsPatch | undefined; errors: BodyError[] } {
  if (views === undefined || viewMedia(views).length === 0) return { views, errors: noErrors }
  const errors: BodyError[] = []
  const resolved = Object.entries(views).map(([code, values]) => {
    if (!values?.media) return [code, values]
    const { media, errors: own } = resolveMedia(values.media, current?.[viewKey(code)]?.media ?? [], found)
    errors.push(...own.map((error) => ({ ...error, pointer: `/views/${code}${error.pointer}` })))
    return [code, { ...values, media }]
  })
  return { views: Object.fromEntries(resolved), errors }
}

/** A response has it, and a write ignores it. */
function hasThumbnail({ thumbnail }: MediaInputItem): boolean {
  return thumbnail !== undefined
}

type Stored = Pick<MediaItem, 'url' | 'kind'>

function storedAs(hash: string, found: FoundAssets | undefined): Stored | undefined {
  const kind = found?.kinds.get(hash)
  return found && kind && { url: assetPath(found.mediaKey, hash, kind), kind }
}

function heldAs(hash: string, current: readonly MediaItem[]): Stored | undefined {
  const held = current.find((item) => isAsset(item) && readAssetUrl(item.url)?.hash === hash)
  return held && { url: held.url, kind: held.kind }
}

function unknownAsset(index: number, { asset }: MediaInputItem, named: string): BodyError {
  return {
    pointer: `/media/${index}/${asset === undefined ? 'url' : 'asset'}`,
    code: 'unknown_asset',
    message: `${named} is not a file of this project, or was erased; upload files first with POST /assets`,
  }
}
