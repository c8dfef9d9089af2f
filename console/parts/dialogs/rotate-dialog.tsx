import { Button, NativeSelect } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { ProblemAlert } from '../problem.tsx'
import { strings } from '../strings.ts'
import styles from './dialogs.module.css'
import { ActionDialog } from './dialogs.tsx'

const overlaps = [
  { value: '0s', label: strings.rotate.now },
  { value: '1h', label: strings.rotate.hour },
  { value: '24h', label: strings.rotate.day },
  { value: '7d', label: strings.rotate.week },
]

type Props<Result> = {
  title: string
  /** What is replaced: `token` or `secret`. */
  noun: string
  rotate: (overlap: string) => Promise<Result>
  done: (response: Result) => void
  close: () => void
  children: ReactNode
}

/** Replaces a secret. The old one stays valid for a while. */
export function RotateDialog<Result>({ title, noun, rotate: send, done, close, children }: Props<Result>) {
  const [overlap, setOverlap] = useState('24h')
  const rotate = useMutation({ mutationFn: () => send(overlap), onSuccess: done })
  return (
    <ActionDialog title={title} isPending={rotate.isPending} close={close}>
      <div className={styles.body}>
        <div>{children}</div>
        {rotate.error !== null && <ProblemAlert error={rotate.error} />}
        <NativeSelect
          label={strings.rotate.overlap(noun)}
          data={overlaps}
          value={overlap}
          onChange={(event) => setOverlap(event.currentTarget.value)}
          data-autofocus
        />
        <div className={styles.buttons}>
          <Button variant="default" onClick={close} disabled={rotate.isPending}>
            {strings.dialog.cancel}
          </Button>
          <Button loading={rotate.isPending} onClick={() => rotate.mutate()}>
            {strings.rotate.action(noun)}
          </Button>
        </div>
      </div>
    </ActionDialog>
  )
}
