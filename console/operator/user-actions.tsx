import { useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { deleteUser, disableUser, enableUser, endSessionsOf, inviteUser, resetPassword } from '../changes.ts'
import { ConfirmDialog, SecretDialog } from '../parts/dialogs/dialogs.tsx'
import { sayDone } from '../parts/done.ts'
import { Moment } from '../parts/words/moment.tsx'
import { counted } from '../parts/words/number-text.ts'
import type { User } from '../wire.ts'
import { UserDialog } from './user-dialog.tsx'

type Secret = { email: string; password: string } | { email: string; link: string; expires_at: string }

/** What is being done to a user. */
export type UserAction =
  | { kind: 'create' }
  | { kind: 'edit' | keyof typeof asked; user: User }
  | { kind: 'secret'; secret: Secret }

type Question = {
  title: (email: string) => string
  action: string
  danger?: boolean
  text: ReactNode
  /** Ends with a word for the toast, or with a secret to show. */
  run: (user: User) => Promise<string | Secret>
}

const asked = {
  reset: {
    title: (email) => `Reset the password of ${email}?`,
    action: 'Reset password',
    danger: true,
    text: 'The old password stops working and every session of this user ends. The new password is shown once.',
    run: async ({ id, email }) => ({ email, ...(await resetPassword(id)) }),
  },
  invite: {
    title: (email) => `Make a link for ${email}?`,
    action: 'Make a link',
    text: 'Whoever opens the link chooses the password of this user. It is for one use within seven days, and a link that was made before stops working.',
    run: async ({ id, email }) => ({ email, ...(await inviteUser(id)) }),
  },
  signOut: {
    title: (email) => `Sign ${email} out everywhere?`,
    action: 'Sign out everywhere',
    danger: true,
    text: 'Every session of this user ends at once. They may sign in again.',
    run: async ({ id, email }) =>
      `${email} is signed out: ${counted((await endSessionsOf(id)).ended, 'session')}.`,
  },
  disable: {
    title: (email) => `Disable ${email}?`,
    action: 'Disable user',
    danger: true,
    text: 'Every session of this user ends at once, and they cannot sign in until you enable them again. Roles and history stay. Tokens that they made go on working; revoke those apart.',
    run: async ({ id, email }) => {
      await disableUser(id)
      return `${email} is disabled.`
    },
  },
  enable: {
    title: (email) => `Enable ${email}?`,
    action: 'Enable user',
    text: 'The user may sign in again, with the password and the roles that they had.',
    run: async ({ id, email }) => {
      await enableUser(id)
      return `${email} may sign in again.`
    },
  },
  remove: {
    title: (email) => `Delete ${email} for good?`,
    action: 'Delete user',
    danger: true,
    text: 'The account, its roles and its sessions are gone, and this cannot be undone. History and audit trail keep the email. Tokens that they made go on working; revoke those apart.',
    run: async ({ id, email }) => {
      await deleteUser(id)
      return `${email} is deleted.`
    },
  },
} satisfies Record<string, Question>

type Props = { act: UserAction; next: (act: UserAction | undefined) => void }

/** The dialog of the act. */
export function UserActionDialog({ act, next }: Props) {
  const queries = useQueryClient()
  const close = () => next(undefined)
  const show = (secret: Secret) => next({ kind: 'secret', secret })
  if (act.kind === 'secret') return <UserSecret secret={act.secret} close={close} />
  if (act.kind === 'create') return <UserDialog created={show} close={close} />
  if (act.kind === 'edit') return <UserDialog user={act.user} created={show} close={close} />
  const { title, action, text, run, ...rest }: Question = asked[act.kind]
  return (
    <ConfirmDialog
      title={title(act.user.email)}
      action={action}
      danger={rest.danger ?? false}
      close={close}
      run={async () => {
        const done = await run(act.user).finally(() =>
          queries.invalidateQueries({ queryKey: ['operator', 'users'] }),
        )
        if (typeof done !== 'string') return show(done)
        sayDone(done)
        close()
      }}
    >
      {text}
    </ConfirmDialog>
  )
}

function UserSecret({ secret, close }: { secret: Secret; close: () => void }) {
  if ('password' in secret)
    return (
      <SecretDialog
        title={`Password of ${secret.email}`}
        label="Password"
        secret={secret.password}
        close={close}
      />
    )
  return (
    <SecretDialog
      title={`Invitation of ${secret.email}`}
      label="Link"
      secret={secret.link}
      keep="Send it to them, and to nobody else."
      close={close}
    >
      <p>
        It works once, and expires <Moment at={secret.expires_at} />.
      </p>
    </SecretDialog>
  )
}
