import { Alert, Button } from '@mantine/core'
import { Icon } from '../parts/icons.tsx'
import { Card } from '../parts/page.tsx'
import { ProblemAlert } from '../parts/problem.tsx'
import { counted } from '../parts/words/number-text.ts'
import { FileError } from './file/file-text.ts'
import styles from './import.module.css'
import type { Run, Running } from './use-run.ts'

type Props = Pick<Running, 'cancel' | 'goOn'> & { run: Run; backToColumns: () => void }

/** How far the sending is, or why it stopped and how to go on. */
export function RunCard({ run, cancel, goOn, backToColumns }: Props) {
  if (run.state === 'done') return null
  if (run.state === 'stopped') return <Stopped run={run} goOn={goOn} backToColumns={backToColumns} />
  const percent = run.size === 0 ? 100 : Math.floor((run.read / run.size) * 100)
  const words =
    run.underWay > 0 ? `Sending ${counted(run.underWay, 'line')}` : `Reading the file, ${percent} %`
  return (
    <Card
      title="Sending"
      lead="Keep this page open. What is sent already stays as a proposal, also where you cancel."
      actions={
        <Button variant="default" onClick={cancel}>
          Cancel
        </Button>
      }
    >
      <div className={styles.progress}>
        <progress aria-label="Read of the file" value={run.read} max={Math.max(run.size, 1)} />
        <span className="tabular" role="status">
          {words}
          {run.proposals.length > 0 && ` · ${counted(sentLines(run), 'line')} proposed`}
        </span>
      </div>
    </Card>
  )
}

function sentLines({ proposals }: Run): number {
  return proposals.reduce((sum, { summary }) => sum + summary.total, 0)
}

type StoppedProps = Omit<Props, 'cancel'>

function Stopped({ run, goOn, backToColumns }: StoppedProps) {
  const soFar =
    run.proposals.length === 0
      ? 'Nothing was proposed.'
      : `${counted(sentLines(run), 'line')} ${sentLines(run) === 1 ? 'is' : 'are'} proposed, in ${counted(run.proposals.length, 'proposal')}; the rest is not.`
  if (run.why === 'failed' && run.error !== undefined) {
    const isFile = run.error instanceof FileError
    return (
      <>
        <ProblemAlert
          title={isFile ? 'The file cannot be read on' : 'The sending stopped'}
          error={run.error}
          {...(!isFile && { retry: () => void goOn() })}
        />
        <p className={styles.dim}>
          {soFar} <UnderWay run={run} />
        </p>
        <div>
          <Button size="xs" variant="default" onClick={backToColumns}>
            Back to the columns
          </Button>
        </div>
      </>
    )
  }
  const isCancelled = run.why === 'cancelled'
  return (
    <Alert
      color="yellow"
      role="status"
      icon={<Icon name="alert" />}
      title={isCancelled ? 'Cancelled' : 'Every line so far was rejected'}
    >
      {!isCancelled && 'Perhaps a column is not what it should be: see the reasons below. '}
      {soFar} <UnderWay run={run} />
      <div className={styles.buttons}>
        <Button size="xs" variant="default" onClick={() => void goOn()}>
          Go on
        </Button>
        <Button size="xs" variant="default" onClick={backToColumns}>
          Back to the columns
        </Button>
      </div>
    </Alert>
  )
}

/** What is known of a part that was cut off on its way. */
function UnderWay({ run: { underWay, isUnsure } }: { run: Run }) {
  if (underWay === 0) return null
  const lines = counted(underWay, 'line')
  return isUnsure
    ? `Whether the ${lines} under way arrived is not known; going on looks for them first, so that none is sent twice.`
    : `The ${lines} under way made no proposal so far; going on looks once more before they are sent.`
}
