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

const useStartPointForm = (from: StartPoint) =>
  useForm<StartPointValues>({ initialValues: { from, moment: '', cursor: '' }, validate: startPointRules })

export function ReplayDialog({ project, webhook, done, close }: Props) {
  const form = useStartPointForm('moment')
  return (
    <FormDialog
      title={strings.replay.title}
      action={strings.replay.action}
      form={form}
      send={(values) => replayWebhook(project, webhook.id, startPointOf(values))}
      done={done}
      close={close}
    >
      <div>{strings.replay.text}</div>
      <StartPointField points={['moment', 'cursor', '0']} form={form} />
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
