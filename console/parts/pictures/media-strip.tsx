import type { MediaItem } from '../../wire.ts'
import styles from './media-strip.module.css'
import { Picture } from './picture.tsx'
import { strings } from './strings.ts'

type Marks = 'added' | 'removed'
type Props = {
  media: readonly MediaItem[]
  /** The other version, and how items that it does not contain are marked. */
  other?: readonly MediaItem[]
  marked?: Marks
}

const nameOf = ({ asset, url }: MediaItem) => asset ?? url
const isSame = (one: MediaItem) => (two: MediaItem) => nameOf(one) === nameOf(two)

/** The media of one version of a product, in order: pictures with their alternative text, other files by URL. */
export function MediaStrip({ media, other, marked }: Props) {
  if (media.length === 0) return <em className={styles.none}>{strings.none}</em>
  return (
    <ol className={styles.strip}>
      {media.map((item, index) => {
        const counterpart = other?.find(isSame(item))
        const mark = other !== undefined && counterpart === undefined ? marked : undefined
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: two items may be the same
          <li key={index} className={styles.item} data-mark={mark}>
            {mark !== undefined && <span className="unseen">{strings[mark]} </span>}
            <Picture file={item.kind === 'image' ? item : undefined} form="line" />
            <span className={styles.text}>
              {item.asset === undefined && <bdi className={styles.url}>{item.url}</bdi>}
              <Alt item={item} isChanged={counterpart !== undefined && counterpart.alt !== item.alt} />
            </span>
          </li>
        )
      })}
    </ol>
  )
}

function Alt({ item: { alt, title, kind }, isChanged }: { item: MediaItem; isChanged: boolean }) {
  if (alt === null || alt === '')
    return <span className={styles.none}>{kind === 'image' ? strings.noAlt : title}</span>
  return (
    <bdi data-changed={isChanged} className={styles.alt}>
      {alt}
    </bdi>
  )
}

type ChangeProps = { before: unknown; after: unknown }

/** The media before and after a change. */
export function MediaChange({ before, after }: ChangeProps) {
  const [old, recent] = [mediaOf(before), mediaOf(after)]
  return (
    <div className={styles.change}>
      {old.length > 0 && (
        <div>
          <p className={styles.side}>{strings.before}</p>
          <MediaStrip media={old} other={recent} marked="removed" />
        </div>
      )}
      <div>
        <p className={styles.side}>{strings.after}</p>
        <MediaStrip media={recent} other={old} marked="added" />
      </div>
    </div>
  )
}

/** Whether the value of an unknown field is a list of media. No other list has items with a URL. */
export function isMediaList(value: unknown): boolean {
  return (
    Array.isArray(value) &&
    value.length > 0 &&
    value.every((one) => typeof one === 'object' && one !== null && 'url' in one)
  )
}

/** An unreadable value shows as no media. */
export function mediaOf(value: unknown): MediaItem[] {
  return Array.isArray(value) ? (value as MediaItem[]) : []
}
