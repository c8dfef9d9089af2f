import { Button, NativeSelect } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { IssuedToken } from '../changes.ts'
import styles from '../parts/dialogs.module.css'
import { ActDialog } from '../parts/dialogs.tsx'
import { isolated } from '../parts/isolated.ts'
import { ProblemAlert } from '../parts/problem.tsx'
import type { Token } from '../wire.ts'

const overlaps = [
  { value: '0s', label: 'Not at all: the old one ends now' },
  { value: '1h', label: '1 hour' },
  { value: '24h', label: '24 hours' },
  { value: '7d', label: '7 days' },
]

type Props = {
  token: Token
  rotate: (overlap: string) => Promise<IssuedToken>
  issued: (token: IssuedToken) => void
  close: () => void
}

export function RotateTokenDialog({ token, rotate: send, issued, close }: Props) {
  const [overlap, setOverlap] = useState('24h')
  const rotate = useMutation({ mutationFn: () => send(overlap), onSuccess: issued })
  return (
    <ActDialog title={`Rotate “${isolated(token.name)}”`} isPending={rotate.isPending} close={close}>
      <div className={styles.body}>
        <div>
          A new token with the same name and rights takes over. During the overlap both are accepted, so that
          programs can change over without a gap.
        </div>
        {rotate.error !== null && <ProblemAlert error={rotate.error} />}
        <NativeSelect
          label="The old token goes on for"
          data={overlaps}
          value={overlap}
          onChange={(event) => setOverlap(event.currentTarget.value)}
          data-autofocus
        />
        <div className={styles.buttons}>
          <Button variant="default" onClick={close} disabled={rotate.isPending}>
            Cancel
          </Button>
          <Button loading={rotate.isPending} onClick={() => rotate.mutate()}>
            Rotate token
          </Button>
        </div>
      </div>
    </ActDialog>
  )
}
