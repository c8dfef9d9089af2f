import { Textarea, TextInput } from '@mantine/core'
import { isNotEmpty, useForm } from '@mantine/form'
import { useQueryClient } from '@tanstack/react-query'
import { promptLimits } from '../../src/model/limits/prompts.ts'
import { ActDialog } from '../parts/dialogs/dialogs.tsx'
import { sayDone } from '../parts/done.ts'
import { Form, useSubmission } from '../parts/forms/form.tsx'
import type { Prompt } from '../wire.ts'
import { changePrompt } from './changes.ts'
import { promptQuery, promptsKey } from './queries.ts'

type Props = { project: number; prompt: Prompt; close: () => void }

/** Name and description, which have no versions. */
export function DetailsDialog({ project, prompt, close }: Props) {
  const queries = useQueryClient()
  const form = useForm({
    initialValues: { name: prompt.name, description: prompt.description },
    validate: { name: isNotEmpty('Give the prompt a name.') },
  })
  const submission = useSubmission(
    form,
    ({ name, description }) =>
      // Only what was changed here: somebody else may have changed the other.
      changePrompt(project, prompt.id, {
        ...(name !== prompt.name && { name }),
        ...(description !== prompt.description && { description }),
      }),
    (answer) => {
      queries.setQueryData(promptQuery(project, prompt.id).queryKey, answer)
      void queries.invalidateQueries({ queryKey: promptsKey(project) })
      sayDone('Saved.')
      close()
    },
  )
  return (
    <ActDialog
      title="Name and description"
      isPending={submission.isPending}
      isFilled={form.isDirty()}
      close={close}
    >
      <Form submission={submission} action="Save" cancel={close}>
        <TextInput label="Name" maxLength={255} data-autofocus {...form.getInputProps('name')} />
        <Textarea
          label="Description"
          description="What it is for"
          autosize
          minRows={3}
          maxRows={12}
          maxLength={promptLimits.descriptionCharacters}
          {...form.getInputProps('description')}
        />
      </Form>
    </ActDialog>
  )
}
