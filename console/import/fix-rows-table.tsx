import { Button, NativeSelect, Textarea, TextInput } from '@mantine/core'
import { numberText } from '../parts/format/number-text.ts'
import { ownValue } from '../parts/forms/own-value.ts'
import table from '../parts/lists/data-table.module.css'
import { fieldChoices } from '../products/filter-labels.ts'
import { pointerField } from '../proposals/value-text.ts'
import styles from './import.module.css'
import { cellAt, type Mapping, targetOfField } from './mapping.ts'
import { lineErrorText } from './reasons.ts'
import type { LineError, Rejected } from './sender.ts'
import { strings } from './strings.ts'
import { targetLabel } from './targets.ts'

/** The user's input, by field. A line that is rejected again starts without input. */
export type Fixes = ReadonlyMap<Rejected, Record<string, string>>

type Props = {
  /** Undefined for JSON lines. */
  mapping: Mapping | undefined
  rejected: Rejected[]
  fixed: Fixes
  isBusy: boolean
  fix: (some: Rejected[], target: string, cell: string) => void
  /** All rejected lines with the same invalid cell, also on other pages. */
  alike: (one: Rejected, target: string) => Rejected[]
}

/** The rejected lines, with an input for each invalid cell. */
export function FixRowsTable({ mapping, rejected, fixed, isBusy, fix, alike }: Props) {
  return (
    // biome-ignore-start lint/a11y/noRedundantRoles: display: block takes the roles away on a narrow screen
    <table role="table" aria-label={strings.rejected.table} className={table.table}>
      <thead role="rowgroup">
        <tr role="row">
          {[
            strings.rejected.line,
            ...(mapping === undefined ? [] : [strings.rejected.sku]),
            strings.rejected.errors,
          ].map((name) => (
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
          const change = (target: string, cell: string) => fix([one], target, cell)
          return (
            <tr key={record.number} role="row">
              <td role="cell" data-label={strings.rejected.line} className="tabular">
                {numberText(record.number)}
              </td>
              {mapping !== undefined && (
                <td role="cell" data-label={strings.rejected.sku} className={styles.column}>
                  <bdi>{cellAt('sku', mapping, record) || '–'}</bdi>
                </td>
              )}
              <td role="cell" data-label={strings.rejected.errors} className={styles.wrong}>
                {mapping === undefined ? (
                  <WholeLine {...shared} change={change} />
                ) : (
                  <Cells {...shared} mapping={mapping} change={change} fix={fix} alike={alike} />
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

type CellsProps = LineProps & Pick<Props, 'fix' | 'alike'> & { mapping: Mapping }

/** One input for each invalid cell, with its errors. */
function Cells({ one, fixed, isBusy, change, mapping, fix, alike }: CellsProps) {
  const { record, errors } = one
  const byTarget = Map.groupBy(errors, ({ pointer }) => targetOfField(pointerField(pointer), mapping))
  return (
    <div className={styles.cells}>
      {[...byTarget].map(([target, some]) => {
        if (target === undefined)
          return (
            <p key="" className={styles.message}>
              {some.map(sentence).join(' ')}
            </p>
          )
        const typed = fixed[target]
        const same = typed === undefined ? [] : alike(one, target)
        return (
          <div key={target}>
            <CellInput
              target={target}
              line={record.number}
              before={cellAt(target, mapping, record)}
              typed={typed}
              errors={some}
              isBusy={isBusy}
              change={(cell) => change(target, cell)}
            />
            {typed !== undefined && same.length > 1 && (
              <Button variant="subtle" size="compact-xs" onClick={() => fix(same, target, typed)}>
                {strings.rejected.fixAll(same.length)}
              </Button>
            )}
          </div>
        )
      })}
    </div>
  )
}

type CellProps = {
  target: string
  line: number
  before: string
  typed: string | undefined
  errors: LineError[]
  isBusy: boolean
  change: (cell: string) => void
}

/** Shows the errors until the user changes the cell. A field with fixed values offers them. */
function CellInput({ target, line, before, typed, errors, isBusy, change }: CellProps) {
  const label = targetLabel(target)
  const shared = {
    label,
    'aria-label': strings.rejected.cell(label, line),
    value: typed ?? before,
    disabled: isBusy,
    error: typed === undefined && errors.map(sentence).join(' '),
    description: typed !== undefined && strings.rejected.changed,
  }
  const choices = ownValue<Choice[]>(fieldChoices, target)
  if (choices !== undefined) {
    const isListed = choices.some(({ value }) => value === shared.value)
    const data = isListed ? choices : [{ value: shared.value, label: shared.value || '–' }, ...choices]
    return (
      <NativeSelect {...shared} data={data} onChange={({ currentTarget }) => change(currentTarget.value)} />
    )
  }
  // A single-line input would lose line breaks.
  if (before.includes('\n'))
    return <Textarea {...shared} rows={4} onChange={({ currentTarget }) => change(currentTarget.value)} />
  return <TextInput {...shared} onChange={({ currentTarget }) => change(currentTarget.value)} />
}

type Choice = { value: string; label: string }

function sentence(error: LineError): string {
  const text = lineErrorText(error)
  return /[.!?]$/.test(text) ? text : `${text}.`
}

/** A JSON line has one cell, under the empty target. */
function WholeLine({ one: { record, errors }, fixed, isBusy, change }: LineProps) {
  return (
    <Textarea
      aria-label={strings.rejected.json(record.number)}
      className={styles.json}
      rows={3}
      value={fixed[''] ?? record.cells[0] ?? ''}
      disabled={isBusy}
      error={fixed[''] === undefined && errors.map(sentence).join(' ')}
      description={fixed[''] !== undefined && strings.rejected.changed}
      onChange={({ currentTarget }) => change('', currentTarget.value)}
    />
  )
}
