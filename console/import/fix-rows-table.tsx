import { Textarea, TextInput } from '@mantine/core'
import { fieldLabel } from '../../src/model/fields/field-paths.ts'
import table from '../parts/lists/data-table.module.css'
import { asSentence } from '../parts/problem.tsx'
import { numberText } from '../parts/words/number-text.ts'
import { faultField } from '../proposals/value-text.ts'
import styles from './import.module.css'
import { cellAt, type Mapping, targetOfField } from './mapping.ts'
import type { Fault, Rejected } from './sender.ts'
import { targetLabel } from './targets.ts'

/** What was typed, by what the cell becomes. A line that is rejected anew is another one, and nothing is typed for it yet. */
export type Fixes = ReadonlyMap<Rejected, Record<string, string>>

type Props = {
  /** Undefined where each line is a product as JSON. */
  mapping: Mapping | undefined
  rejected: Rejected[]
  fixed: Fixes
  isBusy: boolean
  fix: (one: Rejected, target: string, cell: string) => void
}

/** Each rejected line, with the cells that are wrong. */
export function FixRowsTable({ mapping, rejected, fixed, isBusy, fix }: Props) {
  return (
    // biome-ignore-start lint/a11y/noRedundantRoles: display: block takes the roles away on a narrow screen
    <table role="table" aria-label="Rejected lines" className={table.table}>
      <thead role="rowgroup">
        <tr role="row">
          {['Line', ...(mapping === undefined ? [] : ['SKU']), 'What is wrong'].map((name) => (
            <th key={name} role="columnheader" scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {rejected.map((one) => {
          const { record } = one
          const shared = { one, fixed: fixed.get(one) ?? {}, isBusy }
          const change = (target: string, cell: string) => fix(one, target, cell)
          return (
            <tr key={record.number} role="row">
              <td role="cell" data-label="Line" className="tabular">
                {numberText(record.number)}
              </td>
              {mapping !== undefined && (
                <td role="cell" data-label="SKU" className={styles.column}>
                  <bdi>{cellAt('sku', mapping, record) || '–'}</bdi>
                </td>
              )}
              <td role="cell" data-label="What is wrong" className={styles.wrong}>
                {mapping === undefined ? (
                  <WholeLine {...shared} change={change} />
                ) : (
                  <Cells {...shared} mapping={mapping} change={change} />
                )}
              </td>
            </tr>
          )
        })}
      </tbody>
    </table>
    // biome-ignore-end lint/a11y/noRedundantRoles: as above
  )
}

type LineProps = {
  one: Rejected
  fixed: Record<string, string>
  isBusy: boolean
  change: (target: string, cell: string) => void
}

/** One field for each cell that is wrong, with all that is said of it. */
function Cells({
  one: { record, faults },
  fixed,
  isBusy,
  change,
  mapping,
}: LineProps & { mapping: Mapping }) {
  const byTarget = Map.groupBy(faults, ({ pointer }) => targetOfField(faultField(pointer), mapping))
  return (
    <div className={styles.cells}>
      {[...byTarget].map(([target, some]) =>
        target === undefined ? (
          <p key="" className={styles.message}>
            {some.map(looseText).join(' ')}
          </p>
        ) : (
          <CellInput
            key={target}
            label={targetLabel(target)}
            line={record.number}
            before={cellAt(target, mapping, record)}
            typed={fixed[target]}
            faults={some}
            isBusy={isBusy}
            change={(cell) => change(target, cell)}
          />
        ),
      )}
    </div>
  )
}

type CellProps = {
  label: string
  line: number
  before: string
  typed: string | undefined
  faults: Fault[]
  isBusy: boolean
  change: (cell: string) => void
}

/** What was said of a cell holds until somebody types. */
function CellInput({ label, line, before, typed, faults, isBusy, change }: CellProps) {
  const shared = {
    label,
    'aria-label': `${label} of line ${line}`,
    value: typed ?? before,
    disabled: isBusy,
    error: typed === undefined && faults.map(({ message }) => asSentence(message)).join(' '),
    description: typed !== undefined && changedText,
  }
  // A field of one line would lose the breaks of a text.
  if (before.includes('\n'))
    return <Textarea {...shared} rows={4} onChange={({ currentTarget }) => change(currentTarget.value)} />
  return <TextInput {...shared} onChange={({ currentTarget }) => change(currentTarget.value)} />
}

const changedText = 'Changed. It is checked when you propose it.'

function looseText({ pointer, message }: Fault): string {
  const field = faultField(pointer)
  return field === undefined ? asSentence(message) : `${fieldLabel(field)} ${message}.`
}

/** The text of a line as JSON; the only cell that it has is named by the empty target. */
function WholeLine({ one: { record, faults }, fixed, isBusy, change }: LineProps) {
  return (
    <Textarea
      aria-label={`Line ${record.number} as JSON`}
      className={styles.json}
      rows={3}
      value={fixed[''] ?? record.cells[0] ?? ''}
      disabled={isBusy}
      error={fixed[''] === undefined && faults.map(looseText).join(' ')}
      description={fixed[''] !== undefined && changedText}
      onChange={({ currentTarget }) => change('', currentTarget.value)}
    />
  )
}
