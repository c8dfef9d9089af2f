import { Button, Kbd } from '@mantine/core'
import { useState } from 'react'
import { notifyError } from '../../parts/notify.ts'
import { strings } from '../strings.ts'
import { useApply, useDiscard } from '../use-proposal-actions.ts'
import styles from './review.module.css'
import type { Marks } from './use-marks.ts'

const keys: { names: string[]; meaning: string; isAccept?: true }[] = [
  { names: ['A'], meaning: strings.review.accept, isAccept: true },
  { names: ['E'], meaning: strings.review.edit },
  { names: ['R'], meaning: strings.review.reject },
  { names: ['←', '→'], meaning: strings.review.move },
]

type Props = { project: number; id: number; marks: Marks; canAccept: boolean }

/** The keys, and one button that applies the accepted lines and discards the rejected ones. */
export function ReviewBar({ project, id, marks, canAccept }: Props) {
  const apply = useApply(project, id)
  const discard = useDiscard(project, id)
  const [isRunning, setIsRunning] = useState(false)
  const marked = (wanted: string) => [...marks.of].flatMap(([line, mark]) => (mark === wanted ? line : []))
  const [accepted, rejected] = [marked('accept'), marked('reject')]

  async function run(): Promise<void> {
    setIsRunning(true)
    try {
      // Reports its own errors, and nothing is discarded if the proposal has changed.
      const isApplied =
        accepted.length === 0 ||
        (await apply.mutateAsync({ lines: accepted }).then(
          () => true,
          () => false,
        ))
      if (!isApplied) return
      if (rejected.length > 0) await discard.mutateAsync(rejected)
      marks.clear()
    } catch (error) {
      notifyError(error as Error)
    } finally {
      setIsRunning(false)
    }
  }

  return (
    <div className={styles.bar}>
      <p className={styles.keys}>
        {keys
          .filter(({ isAccept }) => canAccept || isAccept !== true)
          .map(({ names, meaning }) => (
            <span key={meaning}>
              {names.map((name) => (
                <Kbd key={name}>{name}</Kbd>
              ))}{' '}
              {meaning}
            </span>
          ))}
      </p>
      {marks.of.size > 0 && (
        <div className={styles.actions}>
          <Button size="xs" variant="default" disabled={isRunning} onClick={marks.clear}>
            {strings.review.clear}
          </Button>
          <Button size="xs" loading={isRunning} onClick={() => void run()}>
            {strings.review.run(accepted.length, rejected.length)}
          </Button>
        </div>
      )}
    </div>
  )
}
