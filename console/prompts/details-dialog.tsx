import { Textarea, TextInput } from '@mantine/core'
import { isNotEmpty, useForm } from '@mantine/form'
import { useQueryClient } from '@tanstack/react-query'
import { promptLimits } from '../../src/model/limits/prompts.ts'
import { ActionDialog } from '../parts/dialogs/dialogs.tsx'
import { Form, useSubmission } from '../parts/forms/form.tsx'
import { notifySuccess } from '../parts/notify.ts'
import type { Prompt } from '../wire.ts'
import { changePrompt } from './changes.ts'
import { promptQuery, promptsKey } from './queries.ts'
import { strings } from './strings.ts'

type Props = { project: number; prompt: Prompt; close: () => void }

/** Name and description have no versions. */
export function DetailsDialog({ project, prompt, close }: Props) {
  const queries = useQueryClient()
  const form = useForm({
    initialValues: { name: prompt.name, description: prompt.description },
    validate: { name: isNotEmpty(strings.fields.nameMissing) },
  })
  const submission = useSubmission(
    form,
    ({ name, description }) =>
      // Only the changed fields: another user may have changed the other one.
      changePrompt(project, prompt.id, {
        ...(name !== prompt.name && { name }),
        ...(description !== prompt.description && { description }),
      }),
    (changed) => {
      queries.setQueryData(promptQuery(project, prompt.id).queryKey, changed)
      void queries.invalidateQueries({ queryKey: promptsKey(project) })
      notifySuccess(strings.details.saved)
      close()
    },
  )
  return (
    <ActionDialog
      title={strings.details.title}
      isPending={submission.isPending}
      isFilled={form.isDirty()}
      close={close}
    >
      <Form submission={submission} action={strings.details.submit} cancel={close}>
        <TextInput
          label={strings.fields.name}
          maxLength={255}
          data-autofocus
          {...form.getInputProps('name')}
        />
        <Textarea
          label={strings.fields.description}
          description={strings.fields.descriptionHint}
          autosize
          minRows={3}
          maxRows={12}
          maxLength={promptLimits.descriptionCharacters}
          {...form.getInputProps('description')}
        />
      </Form>
    </ActionDialog>
  )
}
