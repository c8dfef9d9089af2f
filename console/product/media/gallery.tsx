import { usePictureAddress } from '../../parts/pictures/picture-source.ts'
import type { MediaItem } from '../../wire.ts'
import product from '../product.module.css'
import { strings } from '../strings.ts'
import styles from './media.module.css'
import { MediaPicture } from './media-picture.tsx'
import { TileNotes } from './media-tile.tsx'

/** The media of a product for users who cannot change it. */
export function Gallery({ media }: { media: MediaItem[] }) {
  if (media.length === 0) return <p className={product.note}>{strings.media.none}</p>
  return (
    <ol className={styles.gallery} aria-label={strings.media.list}>
      {media.map((item, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two items may be the same
        <li key={index} className={styles.tile}>
          <LinkedPicture item={item} />
          <TileNotes item={item} index={index} />
        </li>
      ))}
    </ol>
  )
}

function LinkedPicture({ item }: { item: MediaItem }) {
  const address = usePictureAddress(item)
  const href = item.kind === 'image' && address !== undefined ? address(2048) : item.url
  return (
    <a href={href} target="_blank" rel="noreferrer" className={styles.open}>
      <MediaPicture item={item} alt={item.alt ?? item.title ?? strings.media.kinds[item.kind]} />
    </a>
  )
}
