import { Anchor, Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type Column, DataTable } from '../parts/lists/data-table.tsx'
import { Empty, Loaded } from '../parts/loaded.tsx'
import { Card } from '../parts/page.tsx'
import { Moment } from '../parts/words/moment.tsx'
import { counted, numberText } from '../parts/words/number-text.ts'
import type { Outcome } from '../wire.ts'
import styles from './prompts.module.css'
import { outcomesQuery } from './queries.ts'
import type { ViewProps } from './view-props.ts'

const percent = new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 0 })
const points = new Intl.NumberFormat(undefined, { signDisplay: 'exceptZero', maximumFractionDigits: 1 })

/** What became of what each version wrote. */
export function OutcomesView({ project, prompt }: ViewProps) {
  const query = useQuery(outcomesQuery(project, prompt.id))
  const filter = { written_by_prompt: String(prompt.id), written_by_version__lt: prompt.latest_version }
  return (
    <Card
      title="Outcomes"
      lead="What each version wrote, what it did to the quality scores, and how much of it nobody has changed since."
      flush
      actions={
        <Button
          component={Link}
          variant="default"
          size="xs"
          to={`/projects/${project}/products`}
          search={filter as never}
        >
          Products on an older version
        </Button>
      }
    >
      <Loaded query={query}>
        {({ results }) =>
          results.length === 0 ? (
            <Empty title="It has written nothing yet">
              Programs tell with each write which version of which prompt wrote it (<code>provenance</code>).
              Then this table says which version does best.
            </Empty>
          ) : (
            <DataTable
              label="Outcomes by version"
              columns={columnsOf(project, prompt.id)}
              rows={results.toReversed()}
              rowId={({ version_number }) => version_number}
            />
          )
        }
      </Loaded>
    </Card>
  )
}

const columnsOf = (project: number, prompt: number): Column<Outcome>[] => [
  {
    header: 'Version',
    id: 'version',
    cell: ({ row }) => <strong className="tabular">{row.original.version_number}</strong>,
  },
  {
    header: 'Written to',
    id: 'products',
    cell: ({ row: { original } }) => (
      <>
        <div>{counted(original.products, 'product')}</div>
        <div className={styles.small}>
          {original.writes === 1 ? 'in 1 write' : `in ${numberText(original.writes)} writes`}
        </div>
      </>
    ),
  },
  {
    header: 'Score',
    id: 'score',
    cell: ({ row }) => <ScoreChange change={row.original.score_change} />,
  },
  {
    header: 'Still as written',
    id: 'kept',
    cell: ({ row: { original } }) => (
      <>
        <div>{percent.format(original.kept_rate)} of the fields</div>
        {original.kept_rate > 0 && (
          <Anchor
            component={Link}
            to={`/projects/${project}/products`}
            search={
              { written_by_prompt: String(prompt), written_by_version: original.version_number } as never
            }
            className={styles.smallLink}
          >
            Show their products<span className="unseen"> of version {original.version_number}</span>
          </Anchor>
        )}
      </>
    ),
  },
  { header: 'First write', id: 'first', cell: ({ row }) => <Moment at={row.original.first_at} /> },
  { header: 'Last write', id: 'last', cell: ({ row }) => <Moment at={row.original.last_at} /> },
]

function ScoreChange({ change: { mean, median } }: { change: Outcome['score_change'] }) {
  if (mean === null || median === null)
    return <span className={styles.dim}>Only new products, which had none before</span>
  return (
    <>
      <div>
        {points.format(mean)} {Math.abs(mean) === 1 ? 'point' : 'points'} on average
      </div>
      <div className={styles.small}>Median {points.format(median)}</div>
    </>
  )
}
