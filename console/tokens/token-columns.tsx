import { RelativeTime } from '../parts/format/relative-time.tsx'
import { ownValue } from '../parts/forms/own-value.ts'
import cells from '../parts/lists/cells.module.css'
import type { Column } from '../parts/lists/data-table.tsx'
import type { Token } from '../wire.ts'
import { strings } from './strings.ts'
import styles from './token-columns.module.css'

/** These include all scopes except those that spend money. */
const widestScopes = ['products:write', 'prompts:write', 'webhooks:manage'] as const

export const tokenColumns: Column<Token>[] = [
  {
    header: strings.columns.name,
    id: 'name',
    cell: ({ row: { original } }) => (
      <>
        <div className={cells.name}>
          <bdi>{original.name}</bdi>
        </div>
        {original.last_characters !== null && (
          <code className={styles.end}>{strings.columns.ending(original.last_characters)}</code>
        )}
      </>
    ),
  },
  {
    header: strings.columns.scopes,
    id: 'scopes',
    cell: ({ row: { original } }) => describeScopes(original.scopes),
  },
  {
    header: strings.columns.created,
    id: 'created',
    isSecondary: true,
    cell: ({ row }) => <RelativeTime at={row.original.created_at} />,
  },
  {
    header: strings.columns.lastUsed,
    id: 'used',
    cell: ({ row: { original } }) =>
      original.last_used_at === null ? strings.columns.never : <RelativeTime at={original.last_used_at} />,
  },
  {
    header: strings.columns.expires,
    id: 'ends',
    cell: ({ row: { original } }) => {
      if (original.revoked_at !== null) return '–'
      return original.expires_at === null ? strings.columns.never : <RelativeTime at={original.expires_at} />
    },
  },
]

function describeScopes(held: Token['scopes']): string {
  const hasWidest = widestScopes.every((scope) => held.includes(scope))
  if (hasWidest && held.includes('ai:manage')) return strings.columns.allScopes
  if (hasWidest && !held.includes('ai:run')) return strings.columns.allScopesWithoutAi
  return held.map((scope) => ownValue(strings.scopes, scope) ?? scope).join(', ')
}
