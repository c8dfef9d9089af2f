import { Textarea } from '@mantine/core'
import { isNotEmpty, useForm } from '@mantine/form'
import { useQueryClient } from '@tanstack/react-query'
import { declineRequest } from '../changes.ts'
import { ActionDialog } from '../parts/dialogs/dialogs.tsx'
import { isolate } from '../parts/format/isolate.ts'
import { Form, useSubmission } from '../parts/forms/form.tsx'
import { notifySuccess } from '../parts/notify.ts'
import type { AccessRequest } from '../wire.ts'
import { strings } from './access-request-strings.ts'

export function DeclineDialog({ request, close }: { request: AccessRequest; close: () => void }) {
  const queries = useQueryClient()
  const form = useForm({
    initialValues: { reason: '' },
    validate: { reason: isNotEmpty(strings.decline.reasonMissing) },
  })
  const submission = useSubmission(
    form,
    ({ reason }) => declineRequest(request.id, reason),
    () => {
      notifySuccess(strings.decline.done(isolate(request.project.name)))
      close()
      return queries.invalidateQueries({ queryKey: ['operator'] })
    },
  )
  return (
    <ActionDialog
      title={strings.decline.title(isolate(request.project.name))}
      isPending={submission.isPending}
      isFilled={form.isDirty()}
      close={close}
    >
      <Form submission={submission} action={strings.decline.action} danger cancel={close}>
        <Textarea
          label={strings.decline.reason}
          description={strings.decline.reasonHint}
          rows={3}
          data-autofocus
          {...form.getInputProps('reason')}
        />
      </Form>
    </ActionDialog>
  )
}
