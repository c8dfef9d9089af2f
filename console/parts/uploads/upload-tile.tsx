import { ActionIcon, Button, Tooltip } from '@mantine/core'
import { Icon } from '../icons.tsx'
import { LocalPreview } from './local-preview.tsx'
import { strings } from './strings.ts'
import styles from './uploads.module.css'
import type { Upload, Uploads } from './use-uploads.ts'

type Props = { upload: Upload; uploads: Pick<Uploads, 'retry' | 'remove'> }

/** A file that is being uploaded, or why it was not. */
export function UploadTile({ upload, uploads: { retry, remove } }: Props) {
  const { key, file, share, error, canRetry } = upload
  const label = error === undefined ? strings.cancel(file.name) : strings.dismiss(file.name)
  return (
    <li className={styles.tile} data-failed={error !== undefined}>
      <div className={styles.box}>
        <LocalPreview file={file} />
        {error !== undefined && <Icon name="alert" size={22} />}
      </div>
      <Tooltip label={label}>
        <ActionIcon
          variant="default"
          size={26}
          className={styles.remove ?? ''}
          aria-label={label}
          onClick={() => remove(key)}
        >
          <Icon name="cross" size={14} />
        </ActionIcon>
      </Tooltip>
      {error === undefined ? (
        <progress
          className={styles.progress}
          aria-label={strings.progress(file.name)}
          value={share ?? 0}
          max={1}
        />
      ) : (
        <p role="alert" className={styles.error}>
          <bdi className={styles.name}>{strings.failed(file.name)}</bdi> {error}
          {canRetry === true && (
            <Button variant="subtle" size="compact-xs" onClick={() => retry(upload)}>
              {strings.retry}
              <span className="unseen"> {file.name}</span>
            </Button>
          )}
        </p>
      )}
    </li>
  )
}
