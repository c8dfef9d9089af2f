import { useQuery } from '@tanstack/react-query'
import { numberText } from '../parts/format/number-text.ts'
import { RelativeTime } from '../parts/format/relative-time.tsx'
import { type Column, DataTable } from '../parts/lists/data-table.tsx'
import { Empty, Loaded } from '../parts/loaded.tsx'
import { Card } from '../parts/page.tsx'
import type { ActorActivity } from '../wire.ts'
import styles from './people-card.module.css'
import { peopleQuery } from './queries.ts'
import { strings } from './strings.ts'

/** The activity of members and tokens in the last 30 days. */
export function PeopleCard({ project, isReady }: { project: number; isReady: boolean }) {
  const query = useQuery({ ...peopleQuery(project), enabled: isReady })
  return (
    <Card title={strings.people.title} lead={strings.people.lead} flush>
      <Loaded query={query} rows={3}>
        {({ results }) =>
          results.length === 0 ? (
            <Empty title={strings.people.empty}>{strings.people.emptyHint}</Empty>
          ) : (
            <DataTable
              label={strings.people.title}
              columns={columns}
              rows={results}
              rowId={({ source, actor }) => `${source} ${actor}`}
            />
          )
        }
      </Loaded>
    </Card>
  )
}

const columns: Column<ActorActivity>[] = [
  {
    header: strings.people.columns.who,
    id: 'who',
    cell: ({ row: { original } }) => (
      <>
        <bdi className={styles.name}>
          {original.source === 'api' ? strings.people.api(original.actor) : (original.name ?? original.actor)}
        </bdi>
        {original.name !== null && <div className={styles.small}>{original.actor}</div>}
      </>
    ),
  },
  {
    header: strings.people.columns.actions,
    id: 'actions',
    isNumber: true,
    cell: ({ row }) => numberText(row.original.actions),
  },
  {
    header: strings.people.columns.last,
    id: 'last',
    cell: ({ row }) => <RelativeTime at={row.original.last_at} />,
  },
]
