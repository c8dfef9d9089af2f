import { Button } from '@mantine/core'
import { Dropzone } from '@mantine/dropzone'
import '@mantine/dropzone/styles.css'
import { useRef } from 'react'
import { Icon } from '../../parts/icons.tsx'
import { ProblemAlert } from '../../parts/problem.tsx'
import styles from '../import.module.css'

type Props = { choose: (file: File) => void; isOpening: boolean; error: Error | undefined }

/** Where a file is dropped, or chosen by its button. */
export function FileDrop({ choose, isOpening, error }: Props) {
  const open = useRef<() => void>(null)
  return (
    <>
      {error !== undefined && <ProblemAlert title="This file cannot be read" error={error} />}
      <Dropzone
        openRef={open}
        onDrop={([file]) => file && choose(file)}
        multiple={false}
        loading={isOpening}
        activateOnClick={false}
        activateOnKeyboard={false}
        enablePointerEvents
        radius="lg"
        className={styles.drop}
        inputProps={{ 'aria-label': 'File to import' }}
      >
        <div className={styles.dropText}>
          <Icon name="upload" size={30} />
          <p className={styles.dropTitle}>Drop a file with products here</p>
          <p className={styles.dim}>
            CSV with a header row, NDJSON, or a JSON array. The file is read in your browser; then you say
            what its columns are.
          </p>
          <Button onClick={() => open.current?.()}>Choose a file</Button>
        </div>
      </Dropzone>
    </>
  )
}
