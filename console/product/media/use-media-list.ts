import { useState } from 'react'
import { useAnnouncer } from '../../parts/announcer.tsx'
import type { MediaItem } from '../../wire.ts'
import type { Change } from '../draft/use-draft.ts'
import { focusField, focusSoon } from '../focus-field.ts'
import { strings } from '../strings.ts'

export const tileId = (index: number) => `media:${index}`
/** The first control of an open item. */
export const firstFieldId = (index: number) => `media-fields:${index}`

const empty: MediaItem = { url: '', kind: 'image', alt: null, title: null }

export type MediaList = ReturnType<typeof useMediaList>

/** Edits the media of a draft. One item is open at a time. The focus follows an item that moves. */
export function useMediaList(media: MediaItem[], change: Change, initial?: number) {
  const [open, setOpen] = useState(initial)
  const { announce, region } = useAnnouncer()
  const set = (next: MediaItem[]) => change('media', { media: next })
  const toggle = (index: number) => {
    setOpen(open === index ? undefined : index)
    if (open !== index) focusSoon(firstFieldId(index))
  }
  const move = (from: number, to: number, focused = tileId(to)) => {
    if (to < 0 || to >= media.length || from === to) return
    const next = [...media]
    next.splice(to, 0, ...next.splice(from, 1))
    set(next)
    if (open !== undefined) setOpen(next.indexOf(media[open] as MediaItem))
    announce(strings.media.moved(from + 1, to + 1, media.length))
    focusSoon(focused)
  }
  const remove = (index: number) => {
    set(media.filter((_, place) => place !== index))
    setOpen(undefined)
    announce(strings.media.removed(media.length - 1))
    if (media.length > 1) focusSoon(tileId(Math.min(index, media.length - 2)))
    else focusField('media')
  }
  const add = () => {
    set([...media, empty])
    setOpen(media.length)
    focusSoon(firstFieldId(media.length))
  }
  const replace = (index: number, item: MediaItem) =>
    set(media.map((one, place) => (place === index ? item : one)))
  const close = (index: number) => {
    setOpen(undefined)
    focusSoon(tileId(index))
  }
  return { open, setOpen, toggle, close, move, remove, add, replace, region }
}
