import { Button } from '@mantine/core'
import { detailsOf, sentenceOf } from '../audit/sentence.ts'
import { Tag } from '../parts/badges.tsx'
import { RelativeTime } from '../parts/format/relative-time.tsx'
import styles from '../parts/lists/cells.module.css'
import type { Column } from '../parts/lists/data-table.tsx'
import type { AuditEntry, Member, MemberInvitation } from '../wire.ts'
import type { MemberAction } from './member-dialogs.tsx'
import { strings } from './strings.ts'

type Begin = (action: MemberAction) => void

export const memberColumns = (begin: Begin, ownId: number): Column<Member>[] => [
  {
    header: strings.columns.member,
    id: 'member',
    cell: ({ row: { original } }) => (
      <>
        <div className={styles.name}>
          <bdi>{original.name || original.email}</bdi>
        </div>
        {original.name !== '' && <div className={styles.small}>{original.email}</div>}
      </>
    ),
  },
  {
    header: strings.columns.role,
    id: 'role',
    cell: ({ row: { original } }) => <RoleTag role={original.role} />,
  },
  {
    header: strings.columns.since,
    id: 'since',
    cell: ({ row }) => <RelativeTime at={row.original.created_at} />,
  },
  {
    header: strings.columns.actions,
    id: 'actions',
    // Managers cannot change their own membership.
    cell: ({ row: { original } }) =>
      original.id === ownId ? (
        <span className={styles.small}>{strings.you}</span>
      ) : (
        <MemberButtons member={original} begin={begin} />
      ),
  },
]

function RoleTag({ role }: { role: Member['role'] }) {
  return <Tag tone={role === 'manager' ? 'accent' : 'gray'}>{strings.roles[role]}</Tag>
}

function MemberButtons({ member, begin }: { member: Member; begin: Begin }) {
  return (
    <div className={styles.buttons}>
      <Button size="xs" variant="default" onClick={() => begin({ kind: 'role', member })}>
        {strings.changeRole}
        <span className="unseen">{strings.of(member.email)}</span>
      </Button>
      <Button size="xs" variant="subtle" color="red" onClick={() => begin({ kind: 'remove', member })}>
        {strings.remove}
        <span className="unseen"> {member.email}</span>
      </Button>
    </div>
  )
}

export const invitationColumns = (begin: Begin): Column<MemberInvitation>[] => [
  {
    header: strings.invitations.columns.email,
    id: 'email',
    cell: ({ row }) => <div className={styles.name}>{row.original.email}</div>,
  },
  {
    header: strings.invitations.columns.role,
    id: 'role',
    cell: ({ row }) => <RoleTag role={row.original.role} />,
  },
  {
    header: strings.invitations.columns.by,
    id: 'by',
    cell: ({ row }) => <div className={styles.small}>{row.original.invited_by}</div>,
  },
  {
    header: strings.invitations.columns.expires,
    id: 'expires',
    cell: ({ row }) => <RelativeTime at={row.original.expires_at} />,
  },
  {
    header: strings.invitations.columns.actions,
    id: 'actions',
    cell: ({ row: { original } }) => (
      <Button
        size="xs"
        variant="subtle"
        color="red"
        onClick={() => begin({ kind: 'revoke', invitation: original })}
      >
        {strings.invitations.revoke}
        <span className="unseen"> {original.email}</span>
      </Button>
    ),
  },
]

export const changeColumns: Column<AuditEntry>[] = [
  {
    header: strings.history.columns.change,
    id: 'change',
    cell: ({ row: { original } }) => (
      <>
        <div className={styles.name}>
          <bdi>{sentenceOf(original)}</bdi>
        </div>
        <div className={styles.small}>{detailsOf(original)}</div>
      </>
    ),
  },
  {
    header: strings.history.columns.actor,
    id: 'actor',
    cell: ({ row }) => <div className={styles.small}>{row.original.actor}</div>,
  },
  {
    header: strings.history.columns.at,
    id: 'at',
    cell: ({ row }) => <RelativeTime at={row.original.at} />,
  },
]
