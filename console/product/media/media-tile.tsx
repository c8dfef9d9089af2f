import type { HTMLAttributes, KeyboardEvent } from 'react'
import { Icon } from '../../parts/icons.tsx'
import type { MediaItem } from '../../wire.ts'
import { strings } from '../strings.ts'
import styles from './media.module.css'
import { MediaPicture } from './media-picture.tsx'
import { type MediaList, tileId } from './use-media-list.ts'

type Props = {
  item: MediaItem
  index: number
  count: number
  hasError: boolean
  list: MediaList
  panel: string
  dragging: HTMLAttributes<HTMLLIElement>
}

const steps: Record<string, -1 | 1> = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }

/** One item of the gallery. A click opens its fields; the user drags it, or moves it with Shift and the arrow keys. */
export function MediaTile({ item, index, count, hasError, list, panel, dragging }: Props) {
  const isOpen = list.open === index
  const press = (event: KeyboardEvent) => {
    const step = event.shiftKey ? steps[event.key] : undefined
    if (step === undefined && event.key !== 'Delete') return
    event.preventDefault()
    if (step === undefined) list.remove(index)
    else list.move(index, index + step)
  }
  return (
    <li className={styles.tile} data-open={isOpen} data-error={hasError} {...dragging}>
      <button
        type="button"
        id={tileId(index)}
        className={styles.open}
        aria-expanded={isOpen}
        aria-controls={isOpen ? panel : undefined}
        aria-keyshortcuts="Shift+ArrowLeft Shift+ArrowRight Delete"
        aria-label={strings.media.edit(strings.media.kinds[item.kind], index + 1, count, item.alt)}
        onClick={() => list.toggle(index)}
        onKeyDown={press}
      >
        <MediaPicture item={item} />
      </button>
      <TileNotes item={item} index={index} />
    </li>
  )
}

/** What distinguishes the item. Names of files that have no picture. */
export function TileNotes({ item, index }: { item: MediaItem; index: number }) {
  const isUndescribed = item.kind === 'image' && !item.alt
  return (
    <div className={styles.notes}>
      {index === 0 && <span className={styles.main}>{strings.media.main}</span>}
      {item.kind !== 'image' && <bdi className={styles.file}>{item.title ?? lastPart(item.url)}</bdi>}
      {isUndescribed && (
        <span className={styles.missing} title={strings.media.noAltHint}>
          <Icon name="alert" size={12} /> {strings.media.noAlt}
        </span>
      )}
    </div>
  )
}

const lastPart = (url: string) => url.split('/').at(-1) ?? url
