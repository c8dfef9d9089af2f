import { useForm } from '@mantine/form'
import { FormDialog } from '../parts/dialogs/form-dialog.tsx'
import type { Webhook } from '../wire.ts'
import { enableWebhook, replayWebhook } from './changes.ts'
import { reasonWords } from './format.ts'
import {
  type StartPoint,
  StartPointField,
  type StartPointValues,
  startPointOf,
  startPointRules,
} from './start-point-field.tsx'

type Props = { project: number; webhook: Webhook; done: () => void; close: () => void }

const usePlaceForm = (from: StartPoint) =>
  useForm<StartPointValues>({ initialValues: { from, moment: '', cursor: '' }, validate: startPointRules })

export function ReplayDialog({ project, webhook, done, close }: Props) {
  const form = usePlaceForm('moment')
  return (
    <FormDialog
      title="Deliver events again"
      action="Replay"
      form={form}
      send={(values) => replayWebhook(project, webhook.id, startPointOf(values))}
      done={done}
      close={close}
    >
      <div>
        All events since then come again, with the same ids and in order. Newer ones wait until they are
        through.
      </div>
      <StartPointField label="Begin with" places={['moment', 'cursor', '0']} form={form} />
    </FormDialog>
  )
}

export function EnableDialog({ project, webhook, done, close }: Props) {
  const form = usePlaceForm('stopped')
  const { disabled_reason } = webhook
  return (
    <FormDialog
      title="Enable the webhook"
      action="Enable"
      form={form}
      send={(values) => enableWebhook(project, webhook.id, startPointOf(values))}
      done={done}
      close={close}
    >
      {disabled_reason !== null && <div>{reasonWords[disabled_reason]}</div>}
      <StartPointField label="Go on from" places={['stopped', 'now', 'moment', 'cursor', '0']} form={form} />
    </FormDialog>
  )
}
