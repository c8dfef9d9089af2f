import { Checkbox, NativeSelect, TextInput } from '@mantine/core'
import { isEmail, useForm } from '@mantine/form'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { changeUser, createUser, inviteNewUser } from '../changes.ts'
import { ActDialog, ConfirmDialog } from '../parts/dialogs/dialogs.tsx'
import { sayDone } from '../parts/done.ts'
import { Form, useSubmission } from '../parts/forms/form.tsx'
import { useSession } from '../session.ts'
import type { InvitedUser, IssuedUser, NewUser, User } from '../wire.ts'
import { MembershipFields, type Roles } from './membership-fields.tsx'

type Values = { email: string; name: string; operator: boolean; roles: Roles; way: 'link' | 'password' }
type Role = NonNullable<NewUser['memberships']>[number]['role']
type Made = IssuedUser | InvitedUser
type Props = { user?: User; created: (account: Made) => void; close: () => void }

const ways = [
  { value: 'link', label: 'By a link: they choose a password' },
  { value: 'password', label: 'With a password that is shown to you once' },
]

/** Makes an account, or changes one. */
export function UserDialog({ user, created, close }: Props) {
  const queries = useQueryClient()
  const { user: self } = useSession()
  const [isAsked, setAsked] = useState(false)
  const form = useForm<Values>({
    initialValues: valuesOf(user),
    validate: { email: isEmail('Enter an email address such as name@example.com.') },
  })
  const submission = useSubmission(form, sendTo(user), (account) => {
    void queries.invalidateQueries({ queryKey: ['operator', 'users'] })
    if ('password' in account || 'link' in account) return created(account)
    sayDone('Saved.')
    close()
    // Somebody who has changed themselves sees another console.
    if (account.id === self.id) return queries.invalidateQueries()
  })
  const isLeaving = user?.id === self.id && user.operator && !form.values.operator
  const submit: typeof submission.submit = (event) => {
    if (!isLeaving) return submission.submit(event)
    event?.preventDefault()
    setAsked(true)
  }
  if (isAsked)
    return (
      <ConfirmDialog
        title="Stop being an operator?"
        action="Stop being an operator"
        danger
        close={() => setAsked(false)}
        run={async () => {
          await sendTo(user)(form.getValues())
          // The admin area is no longer available.
          location.assign('/')
        }}
      >
        You lose the operator’s desk at once: requests, projects, users and the audit trail. You then see only
        the projects that you are a member of ({membershipText(form.values.roles)}). Only another operator can
        give it back.
      </ConfirmDialog>
    )
  return (
    <ActDialog
      title={user === undefined ? 'New user' : `Edit ${user.email}`}
      isPending={submission.isPending}
      isFilled={form.isDirty()}
      close={close}
    >
      <Form
        submission={{ ...submission, submit }}
        action={user === undefined ? 'Create user' : 'Save changes'}
        isUnchanged={user !== undefined && !form.isDirty()}
        cancel={close}
      >
        {user === undefined && (
          <>
            <TextInput
              label="Email"
              type="email"
              description="They sign in with it"
              data-autofocus
              {...form.getInputProps('email')}
            />
            <NativeSelect label="First sign-in" data={ways} {...form.getInputProps('way')} />
          </>
        )}
        <TextInput label="Name" {...form.getInputProps('name')} />
        <Checkbox
          label="Operator"
          description="Sees every project, decides on requests, issues tokens and makes users"
          {...form.getInputProps('operator', { type: 'checkbox' })}
        />
        <MembershipFields roles={form.values.roles} change={(roles) => form.setFieldValue('roles', roles)} />
      </Form>
    </ActDialog>
  )
}

function valuesOf(user: User | undefined): Values {
  const { email = '', name = '', operator = false, projects = [] } = user ?? {}
  const roles = Object.fromEntries(projects.map((project) => [project.id, project]))
  return { email, name, operator, roles, way: 'link' }
}

function membershipText(roles: Roles): string {
  const names = Object.values(roles).flatMap(({ name, role }) => (role === '' ? [] : name))
  return names.join(', ') || 'none'
}

function sendTo(user: User | undefined) {
  return ({ email, roles, way, ...rest }: Values): Promise<Made | User> => {
    const memberships = Object.entries(roles)
      .filter(([, { role }]) => role !== '')
      .map(([project, { role }]) => ({ project_id: Number(project), role: role as Role }))
    const body = { ...rest, memberships }
    if (user !== undefined) return changeUser(user.id, body)
    const make = way === 'link' ? inviteNewUser : createUser
    return make({ ...body, email: email.trim() })
  }
}
