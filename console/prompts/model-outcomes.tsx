import { numberText } from '../parts/format/number-text.ts'
import { type Column, DataTable } from '../parts/lists/data-table.tsx'
import { Card } from '../parts/page.tsx'
import type { Outcome } from '../wire.ts'
import styles from './prompts.module.css'
import { strings } from './strings.ts'

type ModelRow = Outcome['models'][number] & { version_number: string }

/** What became of the lines that runs created, by version and model. */
export function ModelOutcomes({ models }: { models: ModelRow[] }) {
  return (
    <Card title={strings.models.title} lead={strings.models.lead} flush>
      <DataTable
        label={strings.models.table}
        columns={columns}
        rows={models}
        rowId={({ version_number, model, currency }) => `${version_number} ${model} ${currency}`}
      />
    </Card>
  )
}

const countColumn = (name: 'lines' | 'accepted' | 'edited' | 'rejected'): Column<ModelRow> => ({
  header: strings.models[name],
  id: name,
  cell: ({ row }) => <span className="tabular">{numberText(row.original[name])}</span>,
})

const columns: Column<ModelRow>[] = [
  {
    header: strings.models.model,
    id: 'model',
    cell: ({ row: { original } }) => (
      <>
        <strong>
          <bdi>{original.model}</bdi>
        </strong>
        <div className={styles.small}>{strings.models.ofVersion(original.version_number)}</div>
      </>
    ),
  },
  countColumn('lines'),
  countColumn('accepted'),
  countColumn('edited'),
  countColumn('rejected'),
  {
    header: strings.models.cost,
    id: 'cost',
    cell: ({ row: { original } }) => costText(original.cost, original.currency),
  },
  {
    header: strings.models.perField,
    id: 'per-field',
    cell: ({ row: { original } }) =>
      original.cost_per_accepted_field === null ? (
        <span className={styles.dim}>{strings.models.none}</span>
      ) : (
        costText(original.cost_per_accepted_field, original.currency)
      ),
  },
]

/** Calls cost fractions of a cent. */
function costText(amount: number, currency: string): string {
  const digits = { minimumFractionDigits: 2, maximumFractionDigits: 6 }
  return `${new Intl.NumberFormat(undefined, digits).format(amount)} ${currency}`
}
