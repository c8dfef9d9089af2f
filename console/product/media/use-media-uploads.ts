import { useRef } from 'react'
import { productLimits } from '../../../src/model/limits/products.ts'
import { notifyWarning } from '../../parts/notify.ts'
import { type Uploads, useUploads } from '../../parts/uploads/use-uploads.ts'
import type { Asset, MediaItem } from '../../wire.ts'
import type { Change } from '../draft/use-draft.ts'
import { strings } from '../strings.ts'

/** Uploads files of a product. They become unsaved media items, in the order in which the user dropped them. */
export function useMediaUploads(project: number, media: readonly MediaItem[], change: Change): Uploads {
  const keys = useRef(new Map<string, number>())
  const uploads = useUploads(project, (asset, key) => {
    if (media.some((item) => item.asset === asset.id)) return notifyWarning(strings.media.already)
    keys.current.set(asset.id, key)
    change('media', (draft) => ({ media: inserted(draft.media, itemOf(asset), keys.current) }))
  })
  const add = (files: readonly File[]) => {
    const room = productLimits.media - media.length - uploads.uploads.length
    if (files.length > room) notifyWarning(strings.media.full(productLimits.media))
    uploads.add(files.slice(0, Math.max(room, 0)))
  }
  return { ...uploads, add }
}

export function itemOf({ id, url, kind }: Asset): MediaItem {
  return { asset: id, url, kind, alt: null, title: null }
}

/** Before the first item that was dropped later, or at the end. */
function inserted(media: MediaItem[], item: MediaItem, keys: ReadonlyMap<string, number>): MediaItem[] {
  const keyOf = ({ asset }: MediaItem) => keys.get(asset ?? '') ?? 0
  const place = media.findIndex((other) => keyOf(other) > keyOf(item))
  return place < 0 ? [...media, item] : media.toSpliced(place, 0, item)
}
