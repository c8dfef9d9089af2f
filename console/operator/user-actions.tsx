import { useQueryClient } from '@tanstack/react-query'
import {
  deleteUser,
  disableUser,
  enableUser,
  endSessionsOf,
  inviteUser,
  linkCompany,
  resetPassword,
  resetSecondFactor,
  unlinkCompany,
} from '../changes.ts'
import { ConfirmDialog, SecretDialog } from '../parts/dialogs/dialogs.tsx'
import { RelativeTime } from '../parts/format/relative-time.tsx'
import { notifySuccess } from '../parts/notify.ts'
import type { User } from '../wire.ts'
import { SecondFactorRules } from './second-factor-rules.tsx'
import { UserDialog } from './user-dialog.tsx'
import { strings } from './user-strings.ts'

type Secret =
  | { email: string; password: string }
  | { email: string; link: string; expires_at: string; isForExistingUser?: boolean }

export type UserAction =
  | { kind: 'create' }
  | { kind: 'rules' }
  | { kind: 'edit' | Confirmed; user: User }
  | { kind: 'secret'; secret: Secret }

type Confirmed = keyof typeof strings.userActions

type Call = {
  isDangerous?: boolean
  /** Returns the text of the toast, or a secret to show. */
  run: (user: User) => Promise<string | Secret>
}

const calls: Record<Confirmed, Call> = {
  reset: {
    isDangerous: true,
    run: async ({ id, email }) => ({ email, ...(await resetPassword(id)) }),
  },
  resetFactor: {
    isDangerous: true,
    run: async ({ id, email }) => {
      await resetSecondFactor(id)
      return strings.userActions.resetFactor.done(email)
    },
  },
  linkCompany: {
    run: async ({ id, email }) => {
      await linkCompany(id)
      return strings.userActions.linkCompany.done(email)
    },
  },
  unlinkCompany: {
    isDangerous: true,
    run: async ({ id, email }) => {
      await unlinkCompany(id)
      return strings.userActions.unlinkCompany.done(email)
    },
  },
  invite: {
    run: async ({ id, email }) => ({ email, ...(await inviteUser(id)) }),
  },
  passwordLink: {
    run: async ({ id, email }) => ({ email, ...(await inviteUser(id)), isForExistingUser: true }),
  },
  signOut: {
    isDangerous: true,
    run: async ({ id, email }) => strings.userActions.signOut.done(email, (await endSessionsOf(id)).ended),
  },
  disable: {
    isDangerous: true,
    run: async ({ id, email }) => {
      await disableUser(id)
      return strings.userActions.disable.done(email)
    },
  },
  enable: {
    run: async ({ id, email }) => {
      await enableUser(id)
      return strings.userActions.enable.done(email)
    },
  },
  remove: {
    isDangerous: true,
    run: async ({ id, email }) => {
      await deleteUser(id)
      return strings.userActions.remove.done(email)
    },
  },
}

type Props = { action: UserAction; next: (action: UserAction | undefined) => void }

export function UserActionDialog({ action, next }: Props) {
  const queries = useQueryClient()
  const close = () => next(undefined)
  const show = (secret: Secret) => next({ kind: 'secret', secret })
  if (action.kind === 'secret') return <UserSecret secret={action.secret} close={close} />
  if (action.kind === 'create') return <UserDialog created={show} close={close} />
  if (action.kind === 'rules') return <SecondFactorRules close={close} />
  if (action.kind === 'edit') return <UserDialog user={action.user} created={show} close={close} />
  const { title, action: label, text } = strings.userActions[action.kind]
  const { run, isDangerous = false } = calls[action.kind]
  return (
    <ConfirmDialog
      title={title(action.user.email)}
      action={label}
      danger={isDangerous}
      close={close}
      run={async () => {
        const done = await run(action.user).finally(() =>
          queries.invalidateQueries({ queryKey: ['operator', 'users'] }),
        )
        if (typeof done !== 'string') return show(done)
        notifySuccess(done)
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
        title={strings.userSecret.passwordTitle(secret.email)}
        label={strings.userSecret.password}
        secret={secret.password}
        close={close}
      />
    )
  const { linkTitle, invitationTitle } = strings.userSecret
  return (
    <SecretDialog
      title={(secret.isForExistingUser ? linkTitle : invitationTitle)(secret.email)}
      label={strings.userSecret.link}
      secret={secret.link}
      keep={strings.userSecret.linkHint}
      close={close}
    >
      <p>
        {strings.userSecret.expires} <RelativeTime at={secret.expires_at} />
        {strings.userSecret.expiresEnd}
      </p>
    </SecretDialog>
  )
}
