import { Button } from '@mantine/core'
import { Dropzone } from '@mantine/dropzone'
import '@mantine/dropzone/styles.css'
import { useRef } from 'react'
import { Icon } from '../../parts/icons.tsx'
import { ProblemAlert } from '../../parts/problem.tsx'
import styles from '../import.module.css'
import { strings } from '../strings.ts'

type Props = { choose: (file: File) => void; isOpening: boolean; error: Error | undefined }

export function FileDrop({ choose, isOpening, error }: Props) {
  const open = useRef<() => void>(null)
  return (
    <>
      {error !== undefined && <ProblemAlert title={strings.drop.failed} error={error} />}
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
        inputProps={{ 'aria-label': strings.drop.input }}
      >
        <div className={styles.dropText}>
          <Icon name="upload" size={30} />
          <p className={styles.dropTitle}>{strings.drop.title}</p>
          <p className={styles.dim}>{strings.drop.text}</p>
          <Button onClick={() => open.current?.()}>{strings.drop.choose}</Button>
        </div>
      </Dropzone>
    </>
  )
}
