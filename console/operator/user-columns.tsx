import { ActionIcon, Button, Menu } from '@mantine/core'
import { Tag } from '../parts/badges.tsx'
import { RelativeTime } from '../parts/format/relative-time.tsx'
import { Icon } from '../parts/icons.tsx'
import cells from '../parts/lists/cells.module.css'
import type { Column } from '../parts/lists/data-table.tsx'
import type { User } from '../wire.ts'
import styles from './operator.module.css'
import type { UserAction } from './user-actions.tsx'
import { strings } from './user-strings.ts'

type Begin = (action: UserAction) => void

export const userColumns = (begin: Begin, ownId: number, hasCompany: boolean): Column<User>[] => [
  {
    header: strings.users.columns.user,
    id: 'user',
    cell: ({ row: { original } }) => (
      <>
        <div className={cells.name}>
          <bdi>{original.name || original.email}</bdi>
        </div>
        {original.name !== '' && <div className={cells.small}>{original.email}</div>}
      </>
    ),
  },
  {
    header: strings.users.columns.role,
    id: 'role',
    cell: ({ row: { original } }) => (
      <div className={styles.tags}>
        {original.operator ? (
          <Tag tone="accent">{strings.users.operator}</Tag>
        ) : (
          <Tag tone="gray">{strings.users.member}</Tag>
        )}
        <StateTag user={original} />
        {original.second_factors.map((factor) => (
          <Tag key={factor} tone="gray">
            {strings.users.factors[factor]}
          </Tag>
        ))}
      </div>
    ),
  },
  {
    header: strings.users.columns.projects,
    id: 'projects',
    cell: ({ row: { original } }) => <Projects projects={original.projects} />,
  },
  {
    header: strings.users.columns.lastSignIn,
    id: 'lastSignIn',
    cell: ({ row: { original } }) =>
      original.last_sign_in_at === null ? (
        <span className={cells.small}>{strings.users.never}</span>
      ) : (
        <RelativeTime at={original.last_sign_in_at} />
      ),
  },
  {
    header: strings.users.columns.actions,
    id: 'actions',
    cell: ({ row: { original } }) => (
      <UserButtons user={original} isSelf={original.id === ownId} hasCompany={hasCompany} begin={begin} />
    ),
  },
]

function StateTag({ user: { disabled_at, has_password, invited_until, company_account } }: { user: User }) {
  if (disabled_at !== null) return <Tag tone="red">{strings.users.disabled}</Tag>
  if (company_account !== null) return <Tag tone="gray">{strings.users.company[company_account]}</Tag>
  if (has_password) return null
  return (
    <Tag tone="yellow">
      {invited_until === null ? strings.users.invitationExpired : strings.users.invited}
    </Tag>
  )
}

const mostShown = 3

function Projects({ projects }: Pick<User, 'projects'>) {
  const rest = projects.length - mostShown
  return (
    <div className={cells.long}>
      {projects.length === 0 && '–'}
      {projects.slice(0, mostShown).map(({ id, name, role }) => (
        <div key={id}>
          <bdi>{name}</bdi>
          {strings.users.projectRole(role)}
        </div>
      ))}
      {rest > 0 && strings.users.moreProjects(rest)}
    </div>
  )
}

type ButtonProps = { user: User; isSelf: boolean; hasCompany: boolean; begin: Begin }

function UserButtons({ user, isSelf, hasCompany, begin }: ButtonProps) {
  const isDisabled = user.disabled_at !== null
  const item = (
    kind: Exclude<UserAction['kind'], 'create' | 'rules' | 'secret'>,
    label: string,
    isDanger = false,
  ) => (
    <Menu.Item {...(isDanger && { c: 'red' })} onClick={() => begin({ kind, user })}>
      {label}
    </Menu.Item>
  )
  return (
    <div className={cells.buttons}>
      <Button size="xs" variant="default" onClick={() => begin({ kind: 'edit', user })}>
        {strings.users.edit}
        <span className="unseen"> {user.email}</span>
      </Button>
      <Menu position="bottom-end" shadow="md" withinPortal>
        <Menu.Target>
          <ActionIcon variant="default" size={30} aria-label={strings.users.more(user.email)}>
            <Icon name="more" size={16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {!isDisabled &&
            (user.has_password
              ? item('passwordLink', strings.users.menu.passwordLink)
              : item('invite', strings.users.menu.invite))}
          {user.has_password && item('reset', strings.users.menu.reset)}
          {user.second_factors.length > 0 && item('resetFactor', strings.users.menu.resetFactor)}
          {user.company_account !== null && item('unlinkCompany', strings.users.menu.unlinkCompany)}
          {hasCompany && user.company_account === null && item('linkCompany', strings.users.menu.linkCompany)}
          {!isDisabled &&
            (user.has_password || user.company_account !== null) &&
            item('signOut', strings.users.menu.signOut)}
          {/* Users cannot lock themselves out. */}
          {!isSelf && (
            <>
              <Menu.Divider />
              {isDisabled
                ? item('enable', strings.users.menu.enable)
                : item('disable', strings.users.menu.disable, true)}
              {item('remove', strings.users.menu.remove, true)}
            </>
          )}
        </Menu.Dropdown>
      </Menu>
    </div>
  )
}
