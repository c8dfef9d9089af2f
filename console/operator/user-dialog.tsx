import { Checkbox, NativeSelect, TextInput } from '@mantine/core'
import { isEmail, useForm } from '@mantine/form'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { changeUser, createCompanyUser, createUser, inviteNewUser } from '../changes.ts'
import { ActionDialog, ConfirmDialog } from '../parts/dialogs/dialogs.tsx'
import { Form, useSubmission } from '../parts/forms/form.tsx'
import { notifySuccess } from '../parts/notify.ts'
import { ownCompanyQuery } from '../queries.ts'
import { useSession } from '../session.ts'
import type { InvitedUser, IssuedUser, NewUser, User } from '../wire.ts'
import { MembershipFields, type Roles } from './membership-fields.tsx'
import { strings } from './user-strings.ts'

type Values = {
  email: string
  name: string
  operator: boolean
  roles: Roles
  firstSignIn: 'link' | 'password' | 'company'
}
type Role = NonNullable<NewUser['memberships']>[number]['role']
type Created = IssuedUser | InvitedUser
type Props = { user?: User; created: (account: Created) => void; close: () => void }

const firstSignIns = Object.entries(strings.userForm.firstSignIns).map(([value, label]) => ({ value, label }))

/** Creates or changes an account. */
export function UserDialog({ user, created, close }: Props) {
  const queries = useQueryClient()
  const { user: self } = useSession()
  const [isAsked, setAsked] = useState(false)
  const hasCompany = useQuery(ownCompanyQuery).data?.available ?? false
  const form = useForm<Values>({
    initialValues: valuesOf(user),
    validate: { email: isEmail(strings.userForm.emailInvalid) },
  })
  const submission = useSubmission(form, sendTo(user), (account) => {
    void queries.invalidateQueries({ queryKey: ['operator', 'users'] })
    if ('password' in account || 'link' in account) return created(account)
    notifySuccess(strings.userForm.saved)
    close()
    // The console depends on the roles of the signed-in user.
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
        title={strings.leaveAdmin.title}
        action={strings.leaveAdmin.action}
        danger
        close={() => setAsked(false)}
        run={async () => {
          await sendTo(user)(form.getValues())
          // The admin area is no longer available.
          location.assign('/')
        }}
      >
        {strings.leaveAdmin.text(membershipText(form.values.roles))}
      </ConfirmDialog>
    )
  return (
    <ActionDialog
      title={user === undefined ? strings.userForm.createTitle : strings.userForm.editTitle(user.email)}
      isPending={submission.isPending}
      isFilled={form.isDirty()}
      close={close}
    >
      <Form
        submission={{ ...submission, submit }}
        action={user === undefined ? strings.userForm.create : strings.userForm.save}
        isUnchanged={user !== undefined && !form.isDirty()}
        cancel={close}
      >
        {user === undefined && (
          <>
            <TextInput
              label={strings.userForm.email}
              type="email"
              description={strings.userForm.emailHint}
              data-autofocus
              {...form.getInputProps('email')}
            />
            <NativeSelect
              label={strings.userForm.firstSignIn}
              data={hasCompany ? firstSignIns : firstSignIns.filter(({ value }) => value !== 'company')}
              {...form.getInputProps('firstSignIn')}
            />
          </>
        )}
        <TextInput label={strings.userForm.name} {...form.getInputProps('name')} />
        <Checkbox
          label={strings.userForm.operator}
          description={strings.userForm.operatorHint}
          {...form.getInputProps('operator', { type: 'checkbox' })}
        />
        <MembershipFields roles={form.values.roles} change={(roles) => form.setFieldValue('roles', roles)} />
      </Form>
    </ActionDialog>
  )
}

function valuesOf(user: User | undefined): Values {
  const { email = '', name = '', operator = false, projects = [] } = user ?? {}
  const roles = Object.fromEntries(projects.map((project) => [project.id, project]))
  return { email, name, operator, roles, firstSignIn: 'link' }
}

function membershipText(roles: Roles): string {
  const names = Object.values(roles).flatMap(({ name, role }) => (role === '' ? [] : name))
  return names.join(', ') || strings.leaveAdmin.noProjects
}

const creators = { link: inviteNewUser, password: createUser, company: createCompanyUser }

function sendTo(user: User | undefined) {
  return ({ email, roles, firstSignIn, ...rest }: Values): Promise<Created | User> => {
    const memberships = Object.entries(roles)
      .filter(([, { role }]) => role !== '')
      .map(([project, { role }]) => ({ project_id: Number(project), role: role as Role }))
    const body = { ...rest, memberships }
    if (user !== undefined) return changeUser(user.id, body)
    return creators[firstSignIn]({ ...body, email: email.trim() })
  }
}
