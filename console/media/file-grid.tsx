import type { MediaFile } from '../../src/console-api/media/media-files.schema.ts'
import { assetLimits } from '../../src/model/limits/assets.ts'
import { Tag } from '../parts/badges.tsx'
import { bytesText } from '../parts/format/bytes-text.ts'
import type { IconName } from '../parts/icons.tsx'
import { Picture } from '../parts/pictures/picture.tsx'
import { UploadTile } from '../parts/uploads/upload-tile.tsx'
import type { Uploads } from '../parts/uploads/use-uploads.ts'
import styles from './media.module.css'
import { strings } from './strings.ts'

type Props = {
  files: MediaFile[]
  uploads: Uploads
  /** Dimmed while other files load. */
  isStale: boolean
  open: (file: MediaFile) => void
}

/** Uploads first, because a new file is the newest. */
export function FileGrid({ files, uploads, isStale, open }: Props) {
  return (
    <ul className={styles.grid} aria-label={strings.files} aria-busy={isStale}>
      {uploads.uploads.map((upload) => (
        <UploadTile key={`upload ${upload.key}`} upload={upload} uploads={uploads} />
      ))}
      {files.map((file) => (
        <FileTile key={file.id} file={file} open={() => open(file)} />
      ))}
    </ul>
  )
}

export const fileIcons: Record<MediaFile['kind'], IconName> = {
  image: 'picture',
  document: 'file',
  video: 'video',
}

const isSmall = ({ kind, width, height }: MediaFile) =>
  kind === 'image' && width !== null && height !== null && Math.max(width, height) < assetLimits.smallPixels

function FileTile({ file, open }: { file: MediaFile; open: () => void }) {
  const { id, url, kind, mime, width, height, bytes } = file
  const dimensions = width !== null && height !== null ? `${width} × ${height}` : mime.split('/')[1]
  const facts = [dimensions, bytesText(bytes)].join(', ')
  return (
    <li className={styles.tile}>
      <button
        type="button"
        className={styles.open}
        aria-label={strings.tile.open(strings.tile.kinds[kind], facts)}
        onClick={open}
      >
        <Picture
          file={kind === 'image' ? { asset: id, url } : undefined}
          form="tile"
          icon={fileIcons[kind]}
        />
      </button>
      <p className={styles.facts}>
        <span>{dimensions}</span> <span>{bytesText(bytes)}</span>
      </p>
      <FileTags file={file} />
    </li>
  )
}

/** What needs attention. */
export function FileTags({ file }: { file: MediaFile }) {
  const { state, named, undescribed } = file
  return (
    <div className={styles.tags}>
      {state === 'processing' && <Tag tone="gray">{strings.tile.processing}</Tag>}
      {state === 'failed' && <Tag tone="red">{strings.tile.failed}</Tag>}
      {named === 0 && <Tag tone="gray">{strings.tile.unused}</Tag>}
      {isSmall(file) && <Tag tone="yellow">{strings.tile.small}</Tag>}
      {undescribed > 0 && <Tag tone="yellow">{strings.tile.undescribed}</Tag>}
    </div>
  )
}
