import { NativeSelect, TextInput } from '@mantine/core'
import { isEmail, type UseFormReturnType, useForm } from '@mantine/form'
import { useQueryClient } from '@tanstack/react-query'
import { ConfirmDialog, SecretDialog } from '../parts/dialogs/dialogs.tsx'
import { FormDialog } from '../parts/dialogs/form-dialog.tsx'
import { RelativeTime } from '../parts/format/relative-time.tsx'
import { notifySuccess } from '../parts/notify.ts'
import type { Member, MemberInvitation } from '../wire.ts'
import {
  changeRole,
  type InvitedMember,
  inviteMember,
  membersKey,
  type Role,
  removeMember,
  revokeInvitation,
} from './queries.ts'
import { strings } from './strings.ts'

export type MemberAction =
  | { kind: 'invite' }
  | { kind: 'link'; invited: InvitedMember }
  | { kind: 'role' | 'remove'; member: Member }
  | { kind: 'revoke'; invitation: MemberInvitation }

type Props = { project: number; action: MemberAction; next: (action: MemberAction | undefined) => void }

export function MemberDialog({ project, action, next }: Props) {
  const close = () => next(undefined)
  if (action.kind === 'invite')
    return (
      <InviteDialog project={project} done={(invited) => next({ kind: 'link', invited })} close={close} />
    )
  if (action.kind === 'link') return <LinkDialog invited={action.invited} close={close} />
  if (action.kind === 'role') return <RoleDialog project={project} member={action.member} close={close} />
  return <EndDialog project={project} action={action} close={close} />
}

const roles = Object.entries(strings.roles).map(([value, name]) => ({
  value,
  label: `${name}: ${strings.roleHints[value as Role]}`,
}))

function RoleChoice<Values extends { role: Role }>({ form }: { form: UseFormReturnType<Values> }) {
  return <NativeSelect label={strings.inviteDialog.role} data={roles} {...form.getInputProps('role')} />
}

type Invited = { project: number; done: (invited: InvitedMember) => void; close: () => void }

function InviteDialog({ project, done, close }: Invited) {
  const queries = useQueryClient()
  const form = useForm<{ email: string; role: Role }>({
    initialValues: { email: '', role: 'editor' },
    validate: { email: isEmail(strings.inviteDialog.emailInvalid) },
  })
  return (
    <FormDialog
      title={strings.inviteDialog.title}
      action={strings.inviteDialog.action}
      form={form}
      send={({ email, role }) => inviteMember(project, { email: email.trim(), role })}
      done={(invited) => {
        void queries.invalidateQueries({ queryKey: membersKey(project) })
        done(invited)
      }}
      close={close}
    >
      <TextInput
        label={strings.inviteDialog.email}
        description={strings.inviteDialog.emailHint}
        type="email"
        data-autofocus
        {...form.getInputProps('email')}
      />
      <RoleChoice form={form} />
    </FormDialog>
  )
}

function LinkDialog({ invited, close }: { invited: InvitedMember; close: () => void }) {
  return (
    <SecretDialog
      title={strings.inviteDialog.linkTitle(invited.email)}
      label={strings.inviteDialog.link}
      secret={invited.link}
      keep={strings.inviteDialog.keep}
      close={close}
    >
      <p>
        {strings.inviteDialog.expires} <RelativeTime at={invited.expires_at} />
        {strings.inviteDialog.expiresEnd}
      </p>
    </SecretDialog>
  )
}

function RoleDialog({ project, member, close }: { project: number; member: Member; close: () => void }) {
  const queries = useQueryClient()
  const form = useForm<{ role: Role }>({ initialValues: { role: member.role } })
  return (
    <FormDialog
      title={strings.roleDialog.title(member.email)}
      action={strings.roleDialog.action}
      form={form}
      send={({ role }) => changeRole(project, member.id, role)}
      done={({ email, role }) => {
        void queries.invalidateQueries({ queryKey: membersKey(project) })
        notifySuccess(strings.roleDialog.done(email, strings.roles[role].toLowerCase()))
        close()
      }}
      close={close}
    >
      <RoleChoice form={form} />
    </FormDialog>
  )
}

type Ending = Extract<MemberAction, { kind: 'role' | 'remove' | 'revoke' }>

/** Removes a member, or revokes an invitation. */
function EndDialog({ project, action, close }: { project: number; action: Ending; close: () => void }) {
  const queries = useQueryClient()
  const isRevoke = action.kind === 'revoke'
  const email = isRevoke ? action.invitation.email : action.member.email
  const text = isRevoke ? strings.revokeDialog : strings.removeDialog
  return (
    <ConfirmDialog
      title={text.title(email)}
      action={text.action}
      danger
      close={close}
      run={async () => {
        const work = isRevoke
          ? revokeInvitation(project, action.invitation.id)
          : removeMember(project, action.member.id)
        await work.finally(() => queries.invalidateQueries({ queryKey: membersKey(project) }))
        notifySuccess(isRevoke ? strings.revokeDialog.done : strings.removeDialog.done(email))
        close()
      }}
    >
      {text.text}
    </ConfirmDialog>
  )
}
