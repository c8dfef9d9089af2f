import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { uploadError } from '../../parts/uploads/upload-file.ts'
import type { MediaItem } from '../../wire.ts'
import { fetchAsset } from '../changes.ts'
import product from '../product.module.css'
import { strings } from '../strings.ts'
import styles from './media.module.css'
import { itemOf } from './use-media-uploads.ts'

type Props = { project: number; item: MediaItem; change: (item: MediaItem) => void }

/** Offers to store the file of another host. Lists then show it, and it stays if the other host removes it. */
export function StoreCopy({ project, item, change }: Props) {
  const copy = useMutation({
    mutationFn: () => fetchAsset(project, item.url),
    onSuccess: (asset) => change({ ...itemOf(asset), alt: item.alt, title: item.title }),
  })
  if (!item.url.startsWith('https://')) return null
  return (
    <div className={styles.copy}>
      <Button variant="default" size="xs" loading={copy.isPending} onClick={() => copy.mutate()}>
        {strings.media.store}
      </Button>
      <span className={product.small}>{strings.media.storeHint}</span>
      {copy.error !== null && (
        <p role="alert" className={product.fieldError}>
          {strings.media.notStored(uploadError(copy.error))}
        </p>
      )}
    </div>
  )
}
