import { Anchor, Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { RelativeTime } from '../parts/format/relative-time.tsx'
import { type Column, DataTable } from '../parts/lists/data-table.tsx'
import { Empty, Loaded } from '../parts/loaded.tsx'
import { Card } from '../parts/page.tsx'
import type { Outcome } from '../wire.ts'
import { ModelOutcomes } from './model-outcomes.tsx'
import styles from './prompts.module.css'
import { outcomesQuery } from './queries.ts'
import { strings } from './strings.ts'
import type { ViewProps } from './view-props.ts'

const provenanceField = 'provenance'
const percent = new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 0 })
const points = new Intl.NumberFormat(undefined, { signDisplay: 'exceptZero', maximumFractionDigits: 1 })

export function OutcomesView({ project, prompt }: ViewProps) {
  const query = useQuery(outcomesQuery(project, prompt.id))
  const models = (query.data?.results ?? []).flatMap(({ version_number, models }) =>
    models.map((model) => ({ ...model, version_number })),
  )
  const filter = { written_by_prompt: String(prompt.id), written_by_version__lt: prompt.latest_version }
  return (
    <>
      <Card
        title={strings.outcomes.title}
        lead={strings.outcomes.lead}
        flush
        actions={
          <Button
            component={Link}
            variant="default"
            size="xs"
            to={`/projects/${project}/products`}
            search={filter as never}
          >
            {strings.outcomes.olderProducts}
          </Button>
        }
      >
        <Loaded query={query}>
          {({ results }) =>
            results.length === 0 ? (
              <Empty title={strings.outcomes.empty}>
                {strings.outcomes.emptyBefore} <code>{provenanceField}</code> {strings.outcomes.emptyAfter}
              </Empty>
            ) : (
              <DataTable
                label={strings.outcomes.table}
                columns={columnsOf(project, prompt.id)}
                rows={results.toReversed()}
                rowId={({ version_number }) => version_number}
              />
            )
          }
        </Loaded>
      </Card>
      {models.length > 0 && <ModelOutcomes models={models.toReversed()} />}
    </>
  )
}

const columnsOf = (project: number, prompt: number): Column<Outcome>[] => [
  {
    header: strings.outcomes.columns.version,
    id: 'version',
    cell: ({ row }) => <strong className="tabular">{row.original.version_number}</strong>,
  },
  {
    header: strings.outcomes.columns.products,
    id: 'products',
    cell: ({ row: { original } }) => (
      <>
        <div>{strings.outcomes.products(original.products)}</div>
        <div className={styles.small}>{strings.outcomes.writes(original.writes)}</div>
      </>
    ),
  },
  {
    header: strings.outcomes.columns.score,
    id: 'score',
    cell: ({ row }) => <ScoreChange outcome={row.original} />,
  },
  {
    header: strings.outcomes.columns.unchanged,
    id: 'unchanged',
    cell: ({ row: { original } }) => (
      <>
        {original.kept_rate !== null && (
          <div>{strings.outcomes.unchanged(percent.format(original.kept_rate))}</div>
        )}
        {(original.kept_rate ?? 0) > 0 && (
          <Anchor
            component={Link}
            to={`/projects/${project}/products`}
            search={
              { written_by_prompt: String(prompt), written_by_version: original.version_number } as never
            }
            className={styles.smallLink}
          >
            {strings.outcomes.showProducts}
            <span className="unseen">{strings.outcomes.ofVersion(original.version_number)}</span>
          </Anchor>
        )}
      </>
    ),
  },
  {
    header: strings.outcomes.columns.first,
    id: 'first',
    cell: ({ row }) => <WrittenAt at={row.original.first_at} />,
  },
  {
    header: strings.outcomes.columns.last,
    id: 'last',
    cell: ({ row }) => <WrittenAt at={row.original.last_at} />,
  },
]

function WrittenAt({ at }: { at: string | null }) {
  return at === null ? (
    <span className={styles.dim}>{strings.outcomes.notYet}</span>
  ) : (
    <RelativeTime at={at} />
  )
}

function ScoreChange({ outcome }: { outcome: Outcome }) {
  const {
    writes,
    score_change: { mean, median },
  } = outcome
  if (mean === null || median === null)
    return (
      <span className={styles.dim}>{writes === 0 ? strings.outcomes.notYet : strings.outcomes.onlyNew}</span>
    )
  return (
    <>
      <div>{strings.outcomes.average(points.format(mean), Math.abs(mean) === 1)}</div>
      <div className={styles.small}>{strings.outcomes.median(points.format(median))}</div>
    </>
  )
}
