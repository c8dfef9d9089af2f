import { Alert, Button } from '@mantine/core'
import { Icon } from '../parts/icons.tsx'
import { Card } from '../parts/page.tsx'
import { ProblemAlert } from '../parts/problem.tsx'
import { FileError } from './file/file-text.ts'
import styles from './import.module.css'
import { strings } from './strings.ts'
import type { Run, Running } from './use-run.ts'

type Props = Pick<Running, 'cancel' | 'resume'> & { run: Run; backToColumns: () => void }

/** The progress, or why the import stopped and how to continue. */
export function RunCard({ run, cancel, resume, backToColumns }: Props) {
  if (run.state === 'done') return null
  if (run.state === 'stopped') return <Stopped run={run} resume={resume} backToColumns={backToColumns} />
  const percent = run.size === 0 ? 100 : Math.floor((run.read / run.size) * 100)
  const progress = run.underWay > 0 ? strings.run.sending(run.underWay) : strings.run.reading(percent)
  return (
    <Card
      title={strings.run.title}
      lead={strings.run.lead}
      actions={
        <Button variant="default" onClick={cancel}>
          {strings.run.cancel}
        </Button>
      }
    >
      <div className={styles.progress}>
        <progress aria-label={strings.run.progress} value={run.read} max={Math.max(run.size, 1)} />
        <span className="tabular" role="status">
          {progress}
          {run.proposals.length > 0 && strings.run.proposed(sentLines(run))}
        </span>
      </div>
    </Card>
  )
}

function sentLines({ proposals }: Run): number {
  return proposals.reduce((sum, { summary }) => sum + summary.total, 0)
}

type StoppedProps = Omit<Props, 'cancel'>

function Stopped({ run, resume, backToColumns }: StoppedProps) {
  const soFar =
    run.proposals.length === 0
      ? strings.run.nothingProposed
      : strings.run.partlyProposed(sentLines(run), run.proposals.length)
  if (run.why === 'failed' && run.error !== undefined) {
    const isFile = run.error instanceof FileError
    return (
      <>
        <ProblemAlert
          title={isFile ? strings.run.fileFailed : strings.run.failed}
          error={run.error}
          {...(!isFile && { retry: () => void resume() })}
        />
        <p className={styles.dim}>
          {soFar} <UnderWay run={run} />
        </p>
        <div>
          <Button size="xs" variant="default" onClick={backToColumns}>
            {strings.run.backToColumns}
          </Button>
        </div>
      </>
    )
  }
  const isCanceled = run.why === 'canceled'
  return (
    <Alert
      color="yellow"
      role="status"
      icon={<Icon name="alert" />}
      title={isCanceled ? strings.run.canceled : strings.run.allRejected}
    >
      {!isCanceled && `${strings.run.allRejectedHint} `}
      {soFar} <UnderWay run={run} />
      <div className={styles.buttons}>
        <Button size="xs" variant="default" onClick={() => void resume()}>
          {strings.run.continue}
        </Button>
        <Button size="xs" variant="default" onClick={backToColumns}>
          {strings.run.backToColumns}
        </Button>
      </div>
    </Alert>
  )
}

/** The state of the lines in an interrupted request. */
function UnderWay({ run: { underWay, isUnsure } }: { run: Run }) {
  if (underWay === 0) return null
  return isUnsure ? strings.run.unknown(underWay) : strings.run.pending(underWay)
}
