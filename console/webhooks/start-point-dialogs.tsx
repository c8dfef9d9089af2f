import { useForm } from '@mantine/form'
import { FormDialog } from '../parts/dialogs/form-dialog.tsx'
import type { Webhook } from '../wire.ts'
import { enableWebhook, replayWebhook } from './changes.ts'
import {
  type StartPoint,
  StartPointField,
  type StartPointValues,
  startPointOf,
  startPointRules,
} from './start-point-field.tsx'
import { strings } from './strings.ts'

type Props = { project: number; webhook: Webhook; done: () => void; close: () => void }

const useStartPointForm = (from: StartPoint, moment = '') =>
  useForm<StartPointValues>({ initialValues: { from, moment, cursor: '' }, validate: startPointRules })

const minuteMilliseconds = 60_000
const dayMilliseconds = 24 * 60 * minuteMilliseconds

/** A time in the form of a `datetime-local` field: in the time zone of the browser. */
function localMinute(at: Date): string {
  const offset = at.getTimezoneOffset() * minuteMilliseconds
  return new Date(at.getTime() - offset).toISOString().slice(0, 16)
}

/** A change is older than its first failed attempt, so the replay starts a minute earlier. */
function failingFrom({ failing_since }: Webhook): string | undefined {
  if (failing_since === null) return undefined
  return new Date(Date.parse(failing_since) - minuteMilliseconds).toISOString()
}

export function ReplayDialog({ project, webhook, done, close }: Props) {
  const failing = failingFrom(webhook)
  const form = useStartPointForm(
    failing === undefined ? 'moment' : 'failing',
    localMinute(new Date(Date.now() - dayMilliseconds)),
  )
  return (
    <FormDialog
      title={strings.replay.title}
      action={strings.replay.action}
      form={form}
      send={(values) => replayWebhook(project, webhook.id, startPointOf(values, failing))}
      done={done}
      close={close}
    >
      <div>{strings.replay.text}</div>
      <StartPointField
        points={[...(failing === undefined ? [] : (['failing'] as const)), 'moment', 'cursor', '0']}
        form={form}
      />
    </FormDialog>
  )
}

export function EnableDialog({ project, webhook, done, close }: Props) {
  const form = useStartPointForm('stopped')
  const { disabled_reason } = webhook
  return (
    <FormDialog
      title={strings.enable.title}
      action={strings.enable.action}
      form={form}
      send={(values) => enableWebhook(project, webhook.id, startPointOf(values))}
      done={done}
      close={close}
    >
      {disabled_reason !== null && <div>{strings.disabledReasons[disabled_reason]}</div>}
      <StartPointField points={['stopped', 'now', 'moment', 'cursor', '0']} form={form} />
    </FormDialog>
  )
}
