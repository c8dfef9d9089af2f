import { Alert, Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { CodeBlock } from '../parts/code-block.tsx'
import styles from '../parts/dialogs/dialogs.module.css'
import { ActionDialog } from '../parts/dialogs/dialogs.tsx'
import { Icon } from '../parts/icons.tsx'
import { ProblemAlert } from '../parts/problem.tsx'
import type { WebhookTest } from '../wire.ts'
import { testWebhook } from './changes.ts'
import { strings } from './strings.ts'

const testEventType = 'webhook.test'

type Props = { project: number; id: number; close: () => void }

/** Sends a test event and shows the response of the receiver. */
export function TestDialog({ project, id, close }: Props) {
  const test = useMutation({ mutationFn: () => testWebhook(project, id) })
  return (
    <ActionDialog title={strings.test.title} size="lg" isPending={test.isPending} close={close}>
      <div className={styles.body}>
        <div>
          {strings.test.sends} <code>{testEventType}</code> {strings.test.effect}
        </div>
        {test.error !== null && <ProblemAlert error={test.error} />}
        {test.data !== undefined && !test.isPending && <TestResult test={test.data} />}
        <div className={styles.buttons}>
          <Button variant="default" onClick={close} disabled={test.isPending}>
            {strings.test.close}
          </Button>
          <Button loading={test.isPending} onClick={() => test.mutate()} data-autofocus>
            {test.data === undefined ? strings.test.send : strings.test.sendAgain}
          </Button>
        </div>
      </div>
    </ActionDialog>
  )
}

function TestResult({
  test: { delivered, status, milliseconds, answer: response, error },
}: {
  test: WebhookTest
}) {
  const time = strings.attempts.milliseconds(milliseconds)
  return (
    <>
      <Alert
        color={delivered ? 'accent' : 'red'}
        role="status"
        icon={<Icon name={delivered ? 'check' : 'alert'} />}
        title={delivered ? strings.test.delivered : strings.test.failed}
      >
        {status === null ? strings.test.noResponse(time, error) : strings.test.status(status, time)}
        {!delivered && ` ${strings.test.failedHint}`}
      </Alert>
      {response !== '' && (
        <div>
          <p className={styles.label}>{strings.test.response}</p>
          <CodeBlock code={response} label={strings.test.responseLabel} copy={false} />
        </div>
      )}
    </>
  )
}
