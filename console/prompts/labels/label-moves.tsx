import { NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { RelativeTime } from '../../parts/format/relative-time.tsx'
import { type Column, DataTable } from '../../parts/lists/data-table.tsx'
import { Pager } from '../../parts/lists/pager.tsx'
import { Empty, Loaded } from '../../parts/loaded.tsx'
import { Card } from '../../parts/page.tsx'
import { pageSize } from '../../queries.ts'
import type { PromptLabelMove } from '../../wire.ts'
import styles from '../prompts.module.css'
import { labelMovesQuery } from '../queries.ts'
import { strings } from '../strings.ts'
import type { ViewProps } from '../view-props.ts'

/** All label changes, newest first. */
export function LabelMoves({ project, prompt, search: { label, page = 1 }, see }: ViewProps) {
  const query = useQuery(labelMovesQuery(project, prompt.id, label, page))
  const known = Object.keys(prompt.labels)
  const labels = label === undefined || known.includes(label) ? known : [...known, label]
  const filter = (
    <NativeSelect
      aria-label={strings.moves.filter}
      size="xs"
      data={[{ value: '', label: strings.moves.all }, ...labels]}
      value={label ?? ''}
      onChange={({ currentTarget: { value } }) =>
        see({ view: 'labels', ...(value !== '' && { label: value }) })
      }
    />
  )
  return (
    <Card title={strings.moves.title} flush actions={labels.length > 0 && filter}>
      <Loaded query={query}>
        {(data) =>
          data.count === 0 ? (
            <Empty title={strings.moves.empty}>{strings.moves.emptyHint}</Empty>
          ) : (
            <>
              <DataTable
                label={strings.moves.title}
                columns={columns}
                rows={data.results}
                rowId={(move) => `${move.label} ${move.moved_at} ${move.to_version}`}
                stale={query.isPlaceholderData}
              />
              <Pager
                page={page}
                pageSize={pageSize}
                data={data}
                go={(next) => see({ view: 'labels', ...(label && { label }), page: next })}
              />
            </>
          )
        }
      </Loaded>
    </Card>
  )
}

const columns: Column<PromptLabelMove>[] = [
  {
    header: strings.moves.columns.label,
    id: 'label',
    cell: ({ row }) => <strong>{row.original.label}</strong>,
  },
  {
    header: strings.moves.columns.change,
    id: 'moved',
    cell: ({ row }) => <span className={styles.numbers}>{moveText(row.original)}</span>,
  },
  { header: strings.moves.columns.by, id: 'by', cell: ({ row }) => <bdi>{row.original.actor}</bdi> },
  {
    header: strings.moves.columns.when,
    id: 'when',
    cell: ({ row }) => <RelativeTime at={row.original.moved_at} />,
  },
]

function moveText({ from_version, to_version }: PromptLabelMove): string {
  if (from_version === null) return strings.moves.set(to_version ?? '')
  return to_version === null
    ? strings.moves.removed(from_version)
    : strings.moves.moved(from_version, to_version)
}
