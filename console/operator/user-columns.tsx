import { ActionIcon, Button, Menu } from '@mantine/core'
import { Tag } from '../parts/badges.tsx'
import { Icon } from '../parts/icons.tsx'
import type { Column } from '../parts/lists/data-table.tsx'
import { Moment } from '../parts/words/moment.tsx'
import type { User } from '../wire.ts'
import styles from './operator.module.css'
import type { UserAction } from './user-actions.tsx'

type Begin = (act: UserAction) => void

export const userColumns = (begin: Begin, ownId: number): Column<User>[] => [
  {
    header: 'User',
    id: 'user',
    cell: ({ row: { original } }) => (
      <>
        <div className={styles.name}>
          <bdi>{original.name || original.email}</bdi>
        </div>
        <div className={styles.small}>{original.email}</div>
      </>
    ),
  },
  {
    header: 'Role',
    id: 'role',
    cell: ({ row: { original } }) => (
      <div className={styles.tags}>
        {original.operator ? <Tag tone="accent">Operator</Tag> : <Tag tone="gray">Member</Tag>}
        <StateTag user={original} />
      </div>
    ),
  },
  {
    header: 'Projects',
    id: 'projects',
    cell: ({ row: { original } }) => <Projects projects={original.projects} />,
  },
  { header: 'Created', id: 'created', cell: ({ row }) => <Moment at={row.original.created_at} /> },
  {
    header: 'Actions',
    id: 'actions',
    cell: ({ row: { original } }) => (
      <UserButtons user={original} isSelf={original.id === ownId} begin={begin} />
    ),
  },
]

function StateTag({ user: { disabled_at, has_password, invited_until } }: { user: User }) {
  if (disabled_at !== null) return <Tag tone="red">Disabled</Tag>
  if (has_password) return null
  return <Tag tone="yellow">{invited_until === null ? 'Invitation expired' : 'Invited'}</Tag>
}

const mostShown = 3

function Projects({ projects }: Pick<User, 'projects'>) {
  const rest = projects.length - mostShown
  return (
    <div className={styles.long}>
      {projects.length === 0 && '–'}
      {projects.slice(0, mostShown).map(({ id, name, role }) => (
        <div key={id}>
          <bdi>{name}</bdi> ({role})
        </div>
      ))}
      {rest > 0 && `and ${rest} more`}
    </div>
  )
}

function UserButtons({ user, isSelf, begin }: { user: User; isSelf: boolean; begin: Begin }) {
  const isDisabled = user.disabled_at !== null
  const item = (kind: Exclude<UserAction['kind'], 'create' | 'secret'>, label: string, isDanger = false) => (
    <Menu.Item {...(isDanger && { color: 'red' })} onClick={() => begin({ kind, user })}>
      {label}
    </Menu.Item>
  )
  return (
    <div className={styles.buttons}>
      <Button size="xs" variant="default" onClick={() => begin({ kind: 'edit', user })}>
        Edit<span className="unseen"> {user.email}</span>
      </Button>
      <Menu position="bottom-end" shadow="md" withinPortal>
        <Menu.Target>
          <ActionIcon variant="default" size={30} aria-label={`More for ${user.email}`}>
            <Icon name="more" size={16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {!isDisabled && item('invite', user.has_password ? 'Password by a link' : 'New invitation link')}
          {user.has_password && item('reset', 'Reset password')}
          {!isDisabled && user.has_password && item('signOut', 'Sign out everywhere')}
          {/* Nobody shuts themselves out by a slip. */}
          {!isSelf && (
            <>
              <Menu.Divider />
              {isDisabled ? item('enable', 'Enable') : item('disable', 'Disable', true)}
              {item('remove', 'Delete', true)}
            </>
          )}
        </Menu.Dropdown>
      </Menu>
    </div>
  )
}
