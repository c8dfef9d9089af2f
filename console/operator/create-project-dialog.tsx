import { NativeSelect, TextInput } from '@mantine/core'
import { isNotEmpty, matches, useForm } from '@mantine/form'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { createProject } from '../changes.ts'
import { ActDialog } from '../parts/dialogs/dialogs.tsx'
import { sayDone } from '../parts/done.ts'
import { Form, useSubmission } from '../parts/forms/form.tsx'
import { isolated } from '../parts/words/isolated.ts'
import { sessionQuery } from '../queries.ts'
import type { OperatorProject } from '../wire.ts'
import { plans } from './plans.ts'

export function CreateProjectDialog({ close }: { close: () => void }) {
  const form = useForm({
    initialValues: { name: '', plan: 'free', currency: 'EUR' },
    validate: {
      name: isNotEmpty('Give the project a name.'),
      currency: matches(/^[A-Z]{3}$/, 'Use the three capital letters of a currency, such as EUR.'),
    },
  })
  const submission = useSubmission(form, createProject, useOpenProject())
  return (
    <ActDialog title="New project" isPending={submission.isPending} isFilled={form.isDirty()} close={close}>
      <Form submission={submission} action="Create project" cancel={close}>
        <TextInput label="Name" data-autofocus {...form.getInputProps('name')} />
        <NativeSelect label="Plan" data={plans} {...form.getInputProps('plan')} />
        <TextInput
          label="Currency"
          description="Of every price in the project"
          maxLength={3}
          {...form.getInputProps('currency')}
        />
      </Form>
    </ActDialog>
  )
}

/** Goes to the new project, which every list and the switcher know then. */
function useOpenProject() {
  const queries = useQueryClient()
  const navigate = useNavigate()
  return async (project: OperatorProject) => {
    sayDone(`${isolated(project.name)} is made.`)
    await queries.invalidateQueries({ queryKey: sessionQuery.queryKey })
    await queries.invalidateQueries({ queryKey: ['operator', 'projects'] })
    await navigate({ to: '/operator/projects/$projectId', params: { projectId: project.id } })
  }
}
