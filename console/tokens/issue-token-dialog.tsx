import { Alert, Checkbox, TextInput } from '@mantine/core'
import { isNotEmpty, useForm } from '@mantine/form'
import type { IssuedToken, NewToken } from '../changes.ts'
import { ActDialog } from '../parts/dialogs/dialogs.tsx'
import { Boxes } from '../parts/forms/boxes.tsx'
import { Form, useSubmission } from '../parts/forms/form.tsx'
import { Icon } from '../parts/icons.tsx'
import { scopes } from './scopes.ts'

type Props = {
  title: string
  warning?: string | undefined
  /** That the token may have; all where nothing is said. */
  allowed?: readonly string[]
  issue: (body: NewToken) => Promise<IssuedToken>
  issued: (token: IssuedToken) => void
  close: () => void
}

export function IssueTokenDialog({ title, warning, allowed, issue, issued, close }: Props) {
  const choices = scopes.filter(({ value }) => allowed?.includes(value) ?? true)
  const form = useForm({
    initialValues: { name: '', scopes: choices.map(({ value }) => value), expires_at: '' },
    validate: {
      name: isNotEmpty('Name it by the program that will use it.'),
      scopes: (chosen) => (chosen.length === 0 ? 'Choose at least one.' : null),
    },
  })
  const submission = useSubmission(
    form,
    ({ expires_at, ...rest }) => issue({ ...rest, ...endOf(expires_at) }),
    issued,
  )
  return (
    <ActDialog title={title} isPending={submission.isPending} isFilled={form.isDirty()} close={close}>
      <Form submission={submission} action="Issue token" cancel={close}>
        {warning !== undefined && (
          <Alert color="yellow" icon={<Icon name="alert" />}>
            {warning}
          </Alert>
        )}
        <TextInput
          label="Name"
          description="The program that will use it; history shows this name"
          data-autofocus
          {...form.getInputProps('name')}
        />
        <Checkbox.Group
          label="It may"
          description="Writing includes reading"
          {...form.getInputProps('scopes')}
        >
          <Boxes choices={choices} />
        </Checkbox.Group>
        <TextInput
          label="Expires on (optional)"
          description="The last day on which it is accepted"
          type="date"
          {...form.getInputProps('expires_at')}
        />
      </Form>
    </ActDialog>
  )
}

/** The last moment of the day, where the operator is. */
function endOf(day: string): { expires_at?: string } {
  return day === '' ? {} : { expires_at: new Date(`${day}T23:59:59.999`).toISOString() }
}
