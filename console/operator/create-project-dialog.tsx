import { NativeSelect, TextInput } from '@mantine/core'
import { isNotEmpty, matches, useForm } from '@mantine/form'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { createProject } from '../changes.ts'
import { ActionDialog } from '../parts/dialogs/dialogs.tsx'
import { isolate } from '../parts/format/isolate.ts'
import { Form, useSubmission } from '../parts/forms/form.tsx'
import { notifySuccess } from '../parts/notify.ts'
import { sessionQuery } from '../queries.ts'
import type { OperatorProject } from '../wire.ts'
import { plans } from './plans.ts'
import { strings } from './project-strings.ts'

export function CreateProjectDialog({ close }: { close: () => void }) {
  const form = useForm({
    initialValues: { name: '', plan: 'free', currency: 'EUR' },
    validate: {
      name: isNotEmpty(strings.createProject.nameMissing),
      currency: matches(/^[A-Z]{3}$/, strings.createProject.currencyInvalid),
    },
  })
  const submission = useSubmission(form, createProject, useOpenProject())
  return (
    <ActionDialog
      title={strings.createProject.title}
      isPending={submission.isPending}
      isFilled={form.isDirty()}
      close={close}
    >
      <Form submission={submission} action={strings.createProject.submit} cancel={close}>
        <TextInput label={strings.createProject.name} data-autofocus {...form.getInputProps('name')} />
        <NativeSelect label={strings.createProject.plan} data={plans} {...form.getInputProps('plan')} />
        <TextInput
          label={strings.createProject.currency}
          description={strings.createProject.currencyHint}
          maxLength={3}
          {...form.getInputProps('currency')}
        />
      </Form>
    </ActionDialog>
  )
}

/** Opens the new project after all lists and the project switcher include it. */
function useOpenProject() {
  const queries = useQueryClient()
  const navigate = useNavigate()
  return async (project: OperatorProject) => {
    notifySuccess(strings.createProject.done(isolate(project.name)))
    await queries.invalidateQueries({ queryKey: sessionQuery.queryKey })
    await queries.invalidateQueries({ queryKey: ['operator', 'projects'] })
    await navigate({ to: '/operator/projects/$projectId', params: { projectId: project.id } })
  }
}
