export const assetKinds = ['image', 'document', 'video'] as const
export type AssetKind = (typeof assetKinds)[number]

/** Types that the service accepts. It makes thumbnails of images; other files are only stored. */
export const assetTypes = {
  'image/jpeg': { kind: 'image', extension: 'jpg' },
  'image/png': { kind: 'image', extension: 'png' },
  'image/webp': { kind: 'image', extension: 'webp' },
  'image/gif': { kind: 'image', extension: 'gif' },
  'image/avif': { kind: 'image', extension: 'avif' },
  // No browser shows it, and the service does not decode it.
  'image/tiff': { kind: 'document', extension: 'tiff' },
  'application/pdf': { kind: 'document', extension: 'pdf' },
  'video/mp4': { kind: 'video', extension: 'mp4' },
  'video/webm': { kind: 'video', extension: 'webm' },
} as const satisfies Record<string, { kind: AssetKind; extension: string }>

type AssetMime = keyof typeof assetTypes

export function isAssetMime(mime: string): mime is AssetMime {
  return Object.hasOwn(assetTypes, mime)
}
