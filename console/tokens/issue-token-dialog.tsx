import { Alert, Checkbox, TextInput } from '@mantine/core'
import { isNotEmpty, useForm } from '@mantine/form'
import type { IssuedToken, NewToken } from '../changes.ts'
import { ActionDialog } from '../parts/dialogs/dialogs.tsx'
import { Boxes } from '../parts/forms/boxes.tsx'
import { Form, useSubmission } from '../parts/forms/form.tsx'
import { Icon } from '../parts/icons.tsx'
import { preselected, scopes } from './scopes.ts'
import { strings } from './strings.ts'

type Props = {
  title: string
  warning?: string | undefined
  /** Scopes that the token may have. Default: all. */
  allowed?: readonly string[]
  issue: (body: NewToken) => Promise<IssuedToken>
  issued: (token: IssuedToken) => void
  close: () => void
}

export function IssueTokenDialog({ title, warning, allowed, issue, issued, close }: Props) {
  const choices = scopes.filter(({ value }) => allowed?.includes(value) ?? true)
  const form = useForm({
    initialValues: { name: '', scopes: preselected(choices), expires_at: '' },
    validate: {
      name: isNotEmpty(strings.create.nameMissing),
      scopes: (chosen) => (chosen.length === 0 ? strings.create.scopesMissing : null),
    },
  })
  const submission = useSubmission(
    form,
    ({ expires_at, ...rest }) => issue({ ...rest, ...endOf(expires_at) }),
    issued,
  )
  return (
    <ActionDialog title={title} isPending={submission.isPending} isFilled={form.isDirty()} close={close}>
      <Form submission={submission} action={strings.create.submit} cancel={close}>
        {warning !== undefined && (
          <Alert color="yellow" icon={<Icon name="alert" />}>
            {warning}
          </Alert>
        )}
        <TextInput
          label={strings.create.name}
          description={strings.create.nameHint}
          data-autofocus
          {...form.getInputProps('name')}
        />
        <Checkbox.Group
          label={strings.create.scopes}
          description={strings.create.scopesHint}
          {...form.getInputProps('scopes')}
        >
          <Boxes choices={choices} />
        </Checkbox.Group>
        <TextInput
          label={strings.create.expires}
          description={strings.create.expiresHint}
          type="date"
          {...form.getInputProps('expires_at')}
        />
      </Form>
    </ActionDialog>
  )
}

/** The end of the day in the time zone of the browser. */
function endOf(day: string): { expires_at?: string } {
  return day === '' ? {} : { expires_at: new Date(`${day}T23:59:59.999`).toISOString() }
}
