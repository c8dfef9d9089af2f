import { Textarea } from '@mantine/core'
import { isNotEmpty, useForm } from '@mantine/form'
import { useQueryClient } from '@tanstack/react-query'
import { declineRequest } from '../changes.ts'
import { ActDialog } from '../parts/dialogs/dialogs.tsx'
import { sayDone } from '../parts/done.ts'
import { Form, useSubmission } from '../parts/forms/form.tsx'
import { isolated } from '../parts/words/isolated.ts'
import type { AccessRequest } from '../wire.ts'

export function DeclineDialog({ request, close }: { request: AccessRequest; close: () => void }) {
  const queries = useQueryClient()
  const form = useForm({
    initialValues: { reason: '' },
    validate: { reason: isNotEmpty('Say why; the project reads it.') },
  })
  const submission = useSubmission(
    form,
    ({ reason }) => declineRequest(request.id, reason),
    () => {
      sayDone(`The request of ${isolated(request.project.name)} is declined.`)
      close()
      return queries.invalidateQueries({ queryKey: ['operator'] })
    },
  )
  return (
    <ActDialog
      title={`Decline the request of ${isolated(request.project.name)}`}
      isPending={submission.isPending}
      isFilled={form.isDirty()}
      close={close}
    >
      <Form submission={submission} action="Decline request" danger cancel={close}>
        <Textarea
          label="Reason"
          description="Members of the project read this, and may ask again."
          rows={3}
          data-autofocus
          {...form.getInputProps('reason')}
        />
      </Form>
    </ActDialog>
  )
}
