import type { MediaInputItem, MediaItem } from '../fields/media.schema.ts'

/* No Node APIs, because the console bundles this file. */

/** Replaces the images of a product by assets, and keeps its other items. An image that it has already keeps its texts. */
export function withNewImages(shown: readonly MediaItem[], assets: readonly string[]): MediaInputItem[] {
  const images = [...new Set(assets)].map((asset): MediaInputItem => {
    const { alt = null, title = null } = shown.find((item) => item.asset === asset) ?? {}
    return { asset, kind: 'image', alt, title }
  })
  const others = shown
    .filter(({ kind }) => kind !== 'image')
    .map(({ asset, url, kind, alt, title }): MediaInputItem => {
      return { ...(asset === undefined ? { url } : { asset }), kind, alt, title }
    })
  return [...images, ...others]
}
