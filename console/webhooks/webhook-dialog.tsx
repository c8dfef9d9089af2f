import { TextInput } from '@mantine/core'
import { isNotEmpty, useForm } from '@mantine/form'
import { FormDialog } from '../parts/dialogs/form-dialog.tsx'
import type { Webhook, WebhookWithSecret } from '../wire.ts'
import { changeWebhook, createWebhook } from './changes.ts'
import { chosenTypes, EventTypeBoxes, patternsOf } from './event-type-boxes.tsx'
import {
  StartPointField,
  type StartPointValues,
  startPointOf,
  startPointRules,
} from './start-point-field.tsx'
import { strings } from './strings.ts'

type Values = StartPointValues & { url: string; types: string[] }

const useWebhookForm = (url: string, types: string[] | null) =>
  useForm<Values>({
    initialValues: { url, types: chosenTypes(types), from: 'now', moment: '', cursor: '' },
    validate: {
      url: isNotEmpty(strings.form.urlMissing),
      types: (chosen) => (chosen.length === 0 ? strings.form.eventsMissing : null),
      ...startPointRules,
    },
  })

type Fields = { form: ReturnType<typeof useWebhookForm> }

function WebhookFields({ form }: Fields) {
  return (
    <>
      <TextInput
        label={strings.form.url}
        description={strings.form.urlHint}
        type="url"
        placeholder={strings.form.urlExample}
        data-autofocus
        {...form.getInputProps('url')}
      />
      <EventTypeBoxes value={form.values.types} {...form.getInputProps('types')} />
    </>
  )
}

type NewProps = { project: number; done: (created: WebhookWithSecret) => void; close: () => void }

export function NewWebhookDialog({ project, done, close }: NewProps) {
  const form = useWebhookForm('', null)
  return (
    <FormDialog
      title={strings.form.createTitle}
      size="lg"
      action={strings.form.create}
      form={form}
      send={({ url, types, ...start }) =>
        createWebhook(project, { url: url.trim(), types: patternsOf(types), from: startPointOf(start) })
      }
      done={done}
      close={close}
    >
      <WebhookFields form={form} />
      <StartPointField points={['now', '0', 'moment']} form={form} />
    </FormDialog>
  )
}

type EditProps = { project: number; webhook: Webhook; done: () => void; close: () => void }

export function EditWebhookDialog({ project, webhook, done, close }: EditProps) {
  const form = useWebhookForm(webhook.url, webhook.types)
  return (
    <FormDialog
      title={strings.form.editTitle}
      size="lg"
      action={strings.form.save}
      form={form}
      send={({ url, types }) =>
        changeWebhook(project, webhook.id, { url: url.trim(), types: patternsOf(types) })
      }
      done={done}
      close={close}
    >
      <WebhookFields form={form} />
    </FormDialog>
  )
}
