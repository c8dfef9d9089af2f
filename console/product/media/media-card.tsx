import { Button } from '@mantine/core'
import { memo, useEffect, useId } from 'react'
import { Icon } from '../../parts/icons.tsx'
import { Card } from '../../parts/page.tsx'
import { ChooseFiles } from '../../parts/uploads/choose-files.tsx'
import { DropTarget } from '../../parts/uploads/drop-target.tsx'
import { UploadStatus } from '../../parts/uploads/upload-status.tsx'
import { UploadTile } from '../../parts/uploads/upload-tile.tsx'
import { useFileDrop } from '../../parts/uploads/use-file-drop.ts'
import type { Uploads } from '../../parts/uploads/use-uploads.ts'
import type { MediaItem } from '../../wire.ts'
import { errorUnder, type FieldErrors } from '../draft/field-errors.ts'
import type { Change } from '../draft/use-draft.ts'
import { fieldId } from '../focus-field.ts'
import product from '../product.module.css'
import { strings } from '../strings.ts'
import styles from './media.module.css'
import { MediaFields } from './media-fields.tsx'
import { MediaTile } from './media-tile.tsx'
import { useMediaList } from './use-media-list.ts'
import { useReorder } from './use-reorder.ts'

type Props = {
  project: number
  media: MediaItem[]
  uploads: Uploads
  fieldErrors: FieldErrors
  change: Change
  /** The item that is open at first. */
  initial?: number | undefined
}

/** Images, documents and videos, in order: uploaded files, and files of other hosts by URL. */
export const MediaCard = memo(function MediaCard({
  project,
  media,
  uploads,
  fieldErrors,
  change,
  initial,
}: Props) {
  const list = useMediaList(media, change, initial)
  const { isOver } = useFileDrop(true, uploads.add)
  const draggingOf = useReorder(list.move)
  const panel = useId()
  const keys = keysOf(media)
  useShowError(fieldErrors, list.setOpen)
  const item = list.open === undefined ? undefined : media[list.open]
  return (
    <Card
      title={strings.media.title}
      lead={strings.media.lead}
      actions={<AddMedia addFiles={uploads.add} addUrl={list.add} />}
    >
      <DropTarget isOver={isOver} text={strings.media.dropHere}>
        {media.length + uploads.uploads.length === 0 ? (
          <p className={styles.nothing}>
            <Icon name="picture" size={28} /> {strings.media.nothing}
          </p>
        ) : (
          <ol className={styles.gallery} aria-label={strings.media.list}>
            {media.map((one, index) => (
              <MediaTile
                key={keys[index]}
                item={one}
                index={index}
                count={media.length}
                hasError={errorUnder(fieldErrors, `/media/${index}`) !== undefined}
                list={list}
                panel={panel}
                dragging={draggingOf(index)}
              />
            ))}
            {uploads.uploads.map((upload) => (
              <UploadTile key={`upload ${upload.key}`} upload={upload} uploads={uploads} />
            ))}
          </ol>
        )}
      </DropTarget>
      {list.region}
      <UploadStatus uploads={uploads} />
      {fieldErrors['/media'] !== undefined && <p className={product.fieldError}>{fieldErrors['/media']}</p>}
      {item !== undefined && list.open !== undefined && (
        <MediaFields
          id={panel}
          project={project}
          item={item}
          index={list.open}
          count={media.length}
          errorOf={(field) => errorUnder(fieldErrors, `/media/${list.open}/${field}`)}
          list={list}
        />
      )}
    </Card>
  )
})

function AddMedia({ addFiles, addUrl }: { addFiles: (files: File[]) => void; addUrl: () => void }) {
  return (
    <>
      <ChooseFiles id={fieldId('media')} variant="default" choose={addFiles} />
      <Button variant="default" leftSection={<Icon name="plus" size={14} />} onClick={addUrl}>
        {strings.media.addUrl}
      </Button>
    </>
  )
}

/** A file keeps its element when it moves. A URL is edited in its place, and two items may be the same. */
function keysOf(media: MediaItem[]): string[] {
  const files = media.map(({ asset }) => asset)
  return files.map((asset, index) => (asset && files.indexOf(asset) === index ? asset : String(index)))
}

/** Opens the item that the service rejected. */
function useShowError(fieldErrors: FieldErrors, show: (index: number) => void): void {
  const rejected = Object.keys(fieldErrors).find((pointer) => /^\/media\/\d+/.test(pointer))
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when an error appears
  useEffect(() => {
    if (rejected !== undefined) show(Number(rejected.split('/')[2]))
  }, [rejected])
}
