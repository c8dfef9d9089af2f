import type { Column } from '../parts/lists/data-table.tsx'
import { Moment } from '../parts/words/moment.tsx'
import type { Token } from '../wire.ts'
import styles from './token-columns.module.css'

/** They include all others. */
const widestScopes = ['products:write', 'prompts:write', 'webhooks:manage'] as const

/** What both the member and the operator see of a token. */
export const tokenColumns: Column<Token>[] = [
  {
    header: 'Name',
    id: 'name',
    cell: ({ row: { original } }) => (
      <>
        <div className={styles.name}>
          <bdi>{original.name}</bdi>
        </div>
        {original.last_characters !== null && (
          <code className={styles.end}>cat_…{original.last_characters}</code>
        )}
      </>
    ),
  },
  {
    header: 'Scopes',
    id: 'scopes',
    cell: ({ row: { original } }) =>
      widestScopes.every((scope) => original.scopes.includes(scope)) ? (
        'Everything'
      ) : (
        <code className={styles.end}>{original.scopes.join(' ')}</code>
      ),
  },
  { header: 'Created', id: 'created', cell: ({ row }) => <Moment at={row.original.created_at} /> },
  {
    header: 'Last used',
    id: 'used',
    cell: ({ row: { original } }) =>
      original.last_used_at === null ? 'Never' : <Moment at={original.last_used_at} />,
  },
  {
    header: 'Expires',
    id: 'ends',
    cell: ({ row: { original } }) => {
      if (original.revoked_at !== null) return '–'
      return original.expires_at === null ? 'Never' : <Moment at={original.expires_at} />
    },
  },
]
