import { NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type Column, DataTable } from '../../parts/lists/data-table.tsx'
import { Pager } from '../../parts/lists/pager.tsx'
import { Empty, Loaded } from '../../parts/loaded.tsx'
import { Card } from '../../parts/page.tsx'
import { Moment } from '../../parts/words/moment.tsx'
import { pageSize } from '../../queries.ts'
import type { PromptLabelMove } from '../../wire.ts'
import styles from '../prompts.module.css'
import { labelMovesQuery } from '../queries.ts'
import type { ViewProps } from '../view-props.ts'

/** Each move of a label, the newest first. */
export function LabelMoves({ project, prompt, search: { label, page = 1 }, see }: ViewProps) {
  const query = useQuery(labelMovesQuery(project, prompt.id, label, page))
  const known = Object.keys(prompt.labels)
  const labels = label === undefined || known.includes(label) ? known : [...known, label]
  const filter = (
    <NativeSelect
      aria-label="Moves of"
      size="xs"
      data={[{ value: '', label: 'Of any label' }, ...labels]}
      value={label ?? ''}
      onChange={({ currentTarget: { value } }) =>
        see({ view: 'labels', ...(value !== '' && { label: value }) })
      }
    />
  )
  return (
    <Card title="Moves" flush actions={labels.length > 0 && filter}>
      <Loaded query={query}>
        {(data) =>
          data.count === 0 ? (
            <Empty title="No moves yet">Whoever sets, moves or removes a label is told here.</Empty>
          ) : (
            <>
              <DataTable
                label="Moves of labels"
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
  { header: 'Label', id: 'label', cell: ({ row }) => <strong>{row.original.label}</strong> },
  {
    header: 'Moved',
    id: 'moved',
    cell: ({ row }) => <span className={styles.numbers}>{moveText(row.original)}</span>,
  },
  { header: 'By', id: 'by', cell: ({ row }) => <bdi>{row.original.actor}</bdi> },
  { header: 'When', id: 'when', cell: ({ row }) => <Moment at={row.original.moved_at} /> },
]

function moveText({ from_version, to_version }: PromptLabelMove): string {
  if (from_version === null) return `Set on ${to_version}`
  return to_version === null ? `Removed from ${from_version}` : `From ${from_version} to ${to_version}`
}
