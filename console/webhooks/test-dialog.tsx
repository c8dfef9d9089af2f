import { Alert, Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { CodeBlock } from '../parts/code-block.tsx'
import styles from '../parts/dialogs/dialogs.module.css'
import { ActDialog } from '../parts/dialogs/dialogs.tsx'
import { Icon } from '../parts/icons.tsx'
import { ProblemAlert } from '../parts/problem.tsx'
import { numberText } from '../parts/words/number-text.ts'
import type { WebhookTest } from '../wire.ts'
import { testWebhook } from './changes.ts'

type Props = { project: number; id: number; close: () => void }

/** Posts an event that tells of no change, and shows what the receiver answers. */
export function TestDialog({ project, id, close }: Props) {
  const test = useMutation({ mutationFn: () => testWebhook(project, id) })
  return (
    <ActDialog title="Test the receiver" size="lg" isPending={test.isPending} close={close}>
      <div className={styles.body}>
        <div>
          An event of the type <code>webhook.test</code> is posted now, once and signed as all others. It
          tells of no change, and counts neither as success nor as failure.
        </div>
        {test.error !== null && <ProblemAlert error={test.error} />}
        {test.data !== undefined && !test.isPending && <Answer test={test.data} />}
        <div className={styles.buttons}>
          <Button variant="default" onClick={close} disabled={test.isPending}>
            Close
          </Button>
          <Button loading={test.isPending} onClick={() => test.mutate()} data-autofocus>
            {test.data === undefined ? 'Send test event' : 'Send another'}
          </Button>
        </div>
      </div>
    </ActDialog>
  )
}

function Answer({ test: { delivered, status, milliseconds, answer, error } }: { test: WebhookTest }) {
  const time = `${numberText(milliseconds)} ms`
  return (
    <>
      <Alert
        color={delivered ? 'accent' : 'red'}
        role="status"
        icon={<Icon name={delivered ? 'check' : 'alert'} />}
        title={delivered ? 'The receiver took it' : 'The receiver did not take it'}
      >
        {status === null ? `No answer after ${time}: ${error}.` : `Status ${status} after ${time}.`}
      </Alert>
      {answer !== '' && (
        <div>
          <p className={styles.label}>Beginning of the answer</p>
          <CodeBlock code={answer} label="answer" copy={false} />
        </div>
      )}
    </>
  )
}
