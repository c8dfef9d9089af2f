import type { AssetKind } from './asset-types.ts'

/** Widths in pixels. The largest one is the public form of an image. */
export const imageSizes = [64, 256, 1024, 2048] as const
export type ImageSize = (typeof imageSizes)[number]

/** The paths of an asset are the same in every state, so that no response changes when a thumbnail is ready. */
export function sizePath(mediaKey: string, hash: string, size: ImageSize): string {
  return `/media/${mediaKey}/${hash}/${size}.webp`
}

/** The public form of an asset. The original of an image stays private, because it can contain a location. */
export function assetPath(mediaKey: string, hash: string, kind: AssetKind): string {
  return kind === 'image' ? sizePath(mediaKey, hash, 2048) : `/media/${mediaKey}/${hash}/original`
}

/** Null for files without thumbnails. */
export function thumbnailPaths(
  mediaKey: string,
  hash: string,
  kind: AssetKind,
): Record<'64' | '256' | '1024', string> | null {
  if (kind !== 'image') return null
  return {
    64: sizePath(mediaKey, hash, 64),
    256: sizePath(mediaKey, hash, 256),
    1024: sizePath(mediaKey, hash, 1024),
  }
}

const pathPattern = `/media/([\\w-]{22})/([0-9a-f]{64})/(?:(?:${imageSizes.join('|')})[.]webp|original)`
const ownPath = new RegExp(`^${pathPattern}$`)

/** The key and the hash in the path of an asset; undefined for any other path. */
export function readAssetPath(path: string): { mediaKey: string; hash: string } | undefined {
  const [, mediaKey, hash] = ownPath.exec(path) ?? []
  return mediaKey === undefined || hash === undefined ? undefined : { mediaKey, hash }
}

const hostPattern = 'https?://[^/?#\\\\@\\s]+'
const ownHost = new RegExp(`^${hostPattern}`)
/** The URL of an asset on any host, because a service can have several, or its path. */
export const assetUrlPattern = `^(?:${hostPattern})?${pathPattern}$`

/** The same for a URL on any host. */
export function readAssetUrl(url: string): { mediaKey: string; hash: string } | undefined {
  return url.includes('/media/') ? readAssetPath(url.replace(ownHost, '')) : undefined
}

/** Where the original is in the store. `file` is the random end of its name. */
export function originalFile(projectId: number, hash: string, file: string): string {
  return `${projectId}/${hash.slice(0, 2)}/${hash.slice(2, 4)}/${hash}.${file}`
}

export function sizeFile(projectId: number, hash: string, file: string, size: ImageSize): string {
  return `${originalFile(projectId, hash, file)}.${size}.webp`
}
