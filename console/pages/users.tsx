import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { resetPassword } from '../changes.ts'
import styles from '../operator/operator.module.css'
import { UserDialog } from '../operator/user-dialog.tsx'
import { Tag } from '../parts/badges.tsx'
import type { Column } from '../parts/data-table.tsx'
import { ConfirmDialog, SecretDialog } from '../parts/dialogs.tsx'
import { Icon } from '../parts/icons.tsx'
import { Empty } from '../parts/loaded.tsx'
import { Moment } from '../parts/moment.tsx'
import { Card, Page } from '../parts/page.tsx'
import { PagedList } from '../parts/paged-list.tsx'
import { usersQuery } from '../queries.ts'
import type { User } from '../wire.ts'

type Act =
  | { kind: 'create' }
  | { kind: 'edit' | 'reset'; user: User }
  | { kind: 'password'; email: string; password: string }

export function UsersPage() {
  const { page = 1 } = useSearch({ from: '/signed-in/operator/users' })
  const navigate = useNavigate()
  const [act, setAct] = useState<Act>()
  return (
    <Page
      title="Users"
      lead="Who may sign in. A member sees the projects named here, an operator sees all of them."
      actions={
        <Button leftSection={<Icon name="plus" size={16} />} onClick={() => setAct({ kind: 'create' })}>
          New user
        </Button>
      }
    >
      <Card title="All users" flush>
        <PagedList
          label="Users"
          query={useQuery(usersQuery(page))}
          columns={columns(setAct)}
          page={page}
          go={(to) => navigate({ to: '/operator/users', search: { page: to } })}
          empty={<Empty title="No users yet">Make the first account with the button above.</Empty>}
        />
      </Card>
      {act !== undefined && <UserAct act={act} next={setAct} />}
    </Page>
  )
}

function UserAct({ act, next }: { act: Act; next: (act: Act | undefined) => void }) {
  const close = () => next(undefined)
  const show = ({ email, password }: { email: string; password: string }) =>
    next({ kind: 'password', email, password })
  if (act.kind === 'password')
    return (
      <SecretDialog title={`Password of ${act.email}`} label="Password" secret={act.password} close={close} />
    )
  if (act.kind === 'create') return <UserDialog created={show} close={close} />
  if (act.kind === 'edit') return <UserDialog user={act.user} created={show} close={close} />
  const { id, email } = act.user
  return (
    <ConfirmDialog
      title={`Reset the password of ${email}?`}
      action="Reset password"
      danger
      close={close}
      run={async () => show({ email, ...(await resetPassword(id)) })}
    >
      The old password stops working and every session of this user ends. The new password is shown once.
    </ConfirmDialog>
  )
}

const columns = (setAct: (act: Act) => void): Column<User>[] => [
  {
    header: 'User',
    id: 'user',
    cell: ({ row: { original } }) => (
      <>
        <div className={styles.name}>{original.name || original.email}</div>
        <div className={styles.small}>{original.email}</div>
      </>
    ),
  },
  {
    header: 'Role',
    id: 'role',
    cell: ({ row }) =>
      row.original.operator ? <Tag tone="accent">Operator</Tag> : <Tag tone="gray">Member</Tag>,
  },
  {
    header: 'Projects',
    id: 'projects',
    cell: ({ row: { original } }) => (
      <div className={styles.long}>
        {original.projects.map(({ name, role }) => `${name} (${role})`).join(', ') || '–'}
      </div>
    ),
  },
  { header: 'Created', id: 'created', cell: ({ row }) => <Moment at={row.original.created_at} /> },
  {
    header: 'Change',
    id: 'change',
    cell: ({ row: { original: user } }) => (
      <div className={styles.buttons}>
        <Button size="xs" variant="default" onClick={() => setAct({ kind: 'edit', user })}>
          Edit<span className="unseen"> {user.email}</span>
        </Button>
        <Button size="xs" variant="default" onClick={() => setAct({ kind: 'reset', user })}>
          Reset password<span className="unseen"> of {user.email}</span>
        </Button>
      </div>
    ),
  },
]
