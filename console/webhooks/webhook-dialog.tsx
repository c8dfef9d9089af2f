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

type Values = StartPointValues & { url: string; types: string[] }

const useWebhookForm = (url: string, types: string[] | null) =>
  useForm<Values>({
    initialValues: { url, types: chosenTypes(types), from: 'now', moment: '', cursor: '' },
    validate: {
      url: isNotEmpty('Say where events are posted to.'),
      types: (chosen) => (chosen.length === 0 ? 'Choose at least one.' : null),
      ...startPointRules,
    },
  })

type Fields = { form: ReturnType<typeof useWebhookForm> }

function WebhookFields({ form }: Fields) {
  return (
    <>
      <TextInput
        label="Address"
        description="Events are posted there, signed as Standard Webhooks has it"
        type="url"
        placeholder="https://shop.example/catalog-events"
        data-autofocus
        {...form.getInputProps('url')}
      />
      <EventTypeBoxes value={form.values.types} {...form.getInputProps('types')} />
    </>
  )
}

type NewProps = { project: number; done: (made: WebhookWithSecret) => void; close: () => void }

export function NewWebhookDialog({ project, done, close }: NewProps) {
  const form = useWebhookForm('', null)
  return (
    <FormDialog
      title="New webhook"
      size="lg"
      action="Make webhook"
      form={form}
      send={({ url, types, ...place }) =>
        createWebhook(project, { url: url.trim(), types: patternsOf(types), from: startPointOf(place) })
      }
      done={done}
      close={close}
    >
      <WebhookFields form={form} />
      <StartPointField label="Begin with" places={['now', '0', 'moment']} form={form} />
    </FormDialog>
  )
}

type EditProps = { project: number; webhook: Webhook; done: () => void; close: () => void }

export function EditWebhookDialog({ project, webhook, done, close }: EditProps) {
  const form = useWebhookForm(webhook.url, webhook.types)
  return (
    <FormDialog
      title="Edit webhook"
      size="lg"
      action="Save"
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
