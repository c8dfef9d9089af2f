import { Checkbox, TextInput } from '@mantine/core'
import { isEmail, useForm } from '@mantine/form'
import { useQueryClient } from '@tanstack/react-query'
import { changeUser, createUser } from '../changes.ts'
import { ActDialog } from '../parts/dialogs.tsx'
import { sayDone } from '../parts/done.ts'
import { Form, useSubmission } from '../parts/form.tsx'
import { useSession } from '../session.ts'
import type { IssuedUser, NewUser, User } from '../wire.ts'
import { MembershipFields, type Roles } from './membership-fields.tsx'

type Values = { email: string; name: string; operator: boolean; roles: Roles }
type Role = NonNullable<NewUser['memberships']>[number]['role']
type Props = { user?: User; created: (account: IssuedUser) => void; close: () => void }

/** Makes an account, or changes one. */
export function UserDialog({ user, created, close }: Props) {
  const queries = useQueryClient()
  const { projects } = useSession()
  const form = useForm<Values>({
    initialValues: valuesOf(user),
    validate: { email: isEmail('Enter an email address such as name@example.com.') },
  })
  const submission = useSubmission(form, sendTo(user), (account) => {
    void queries.invalidateQueries({ queryKey: ['operator', 'users'] })
    if ('password' in account) return created(account)
    sayDone('Saved.')
    close()
  })
  return (
    <ActDialog
      title={user === undefined ? 'New user' : `Edit ${user.email}`}
      isPending={submission.isPending}
      close={close}
    >
      <Form
        submission={submission}
        action={user === undefined ? 'Create user' : 'Save changes'}
        cancel={close}
      >
        {user === undefined && (
          <TextInput
            label="Email"
            type="email"
            description="They sign in with it"
            data-autofocus
            {...form.getInputProps('email')}
          />
        )}
        <TextInput label="Name" {...form.getInputProps('name')} />
        <Checkbox
          label="Operator"
          description="Sees every project, decides on requests, issues tokens and makes users"
          {...form.getInputProps('operator', { type: 'checkbox' })}
        />
        <MembershipFields
          projects={projects}
          roles={form.values.roles}
          change={(roles) => form.setFieldValue('roles', roles)}
        />
      </Form>
    </ActDialog>
  )
}

function valuesOf(user: User | undefined): Values {
  const { email = '', name = '', operator = false, projects = [] } = user ?? {}
  return { email, name, operator, roles: Object.fromEntries(projects.map(({ id, role }) => [id, role])) }
}

function sendTo(user: User | undefined) {
  return ({ email, roles, ...rest }: Values): Promise<IssuedUser | User> => {
    const memberships = Object.entries(roles)
      .filter(([, role]) => role !== '')
      .map(([project, role]) => ({ project_id: Number(project), role: role as Role }))
    const body = { ...rest, memberships }
    return user === undefined ? createUser({ ...body, email: email.trim() }) : changeUser(user.id, body)
  }
}
