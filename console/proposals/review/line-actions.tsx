import { Button } from '@mantine/core'
import { usePermissions } from '../../parts/permissions.ts'
import type { ProposalLine } from '../../wire.ts'
import { strings } from '../strings.ts'
import styles from './review.module.css'
import type { Mark } from './use-marks.ts'

type Props = {
  line: ProposalLine
  mark: Mark | undefined
  setMark: (mark: Mark | undefined) => void
  edit: () => void
}

/** Marks a line as accepted or rejected, or opens its editor. Each button has a key. */
export function LineActions({ line, mark, setMark, edit }: Props) {
  const { canManage } = usePermissions()
  const name = line.sku ?? strings.line.number(line.line).toLowerCase()
  const toggle = (wanted: Mark) => () => setMark(mark === wanted ? undefined : wanted)
  return (
    <div className={styles.actions}>
      {canManage && line.state === 'open' && (
        <Button
          size="compact-sm"
          variant={mark === 'accept' ? 'filled' : 'default'}
          aria-pressed={mark === 'accept'}
          aria-keyshortcuts="A"
          aria-label={strings.review.acceptLine(name)}
          onClick={toggle('accept')}
        >
          {strings.review.accept}
        </Button>
      )}
      <Button
        size="compact-sm"
        variant="default"
        aria-keyshortcuts="E"
        aria-label={strings.review.editLine(name)}
        onClick={edit}
      >
        {strings.review.edit}
      </Button>
      <Button
        size="compact-sm"
        color="red"
        variant={mark === 'reject' ? 'filled' : 'default'}
        aria-pressed={mark === 'reject'}
        aria-keyshortcuts="R"
        aria-label={strings.review.rejectLine(name)}
        onClick={toggle('reject')}
      >
        {strings.review.reject}
      </Button>
    </div>
  )
}
