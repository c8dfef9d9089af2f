import { Button } from '@mantine/core'
import { useState } from 'react'
import { Icon } from '../parts/icons.tsx'
import { Pager } from '../parts/lists/pager.tsx'
import { Card } from '../parts/page.tsx'
import { counted, numberText } from '../parts/words/number-text.ts'
import chips from '../proposals/line-filters.module.css'
import type { FileRecord } from './file/records.ts'
import type { Chosen } from './file/use-file.ts'
import { type Fixes, FixRowsTable } from './fix-rows-table.tsx'
import styles from './import.module.css'
import { mappingOf } from './lines.ts'
import { withCells } from './mapping.ts'
import { reasonKey, reasonsOf } from './reasons.ts'
import { rejectedFile, saveFile } from './rejected-file.ts'
import type { Rejected } from './sender.ts'

const shown = 20

type Props = {
  chosen: Chosen
  rejected: Rejected[]
  isBusy: boolean
  again: (records: FileRecord[]) => void
}

/** Lines that were not taken: by reason, to be fixed here, or downloaded. */
export function RejectedCard({ chosen: { opened, mapping: all }, rejected, isBusy, again }: Props) {
  const [fixed, setFixed] = useState<Fixes>(new Map())
  const [chosenReason, choose] = useState<string>()
  const [page, go] = useState(1)
  if (rejected.length === 0) return null
  const mapping = mappingOf(opened, all)
  const asMended = (one: Rejected): Rejected => ({
    ...one,
    record: withCells(one.record, mapping ?? [''], fixed.get(one) ?? {}),
  })
  const reasons = reasonsOf(rejected)
  const reason = reasons.some(({ key }) => key === chosenReason) ? chosenReason : undefined
  const matching = rejected.filter(
    ({ faults }) => reason === undefined || faults.some((one) => reasonKey(one) === reason),
  )
  const last = Math.max(1, Math.ceil(matching.length / shown))
  const current = Math.min(page, last)
  const changed = rejected.filter((one) => fixed.has(one))
  return (
    <Card
      title={counted(rejected.length, 'rejected line')}
      lead="Fix what is wrong here, or download these lines with the reasons, fix the file and import it."
      actions={
        <>
          <Button
            variant="default"
            leftSection={<Icon name="download" size={16} />}
            onClick={() => saveFile(rejectedFile(opened, rejected.map(asMended)))}
          >
            Download {counted(rejected.length, 'line')}
          </Button>
          <Button
            disabled={isBusy || changed.length === 0}
            onClick={() => again(changed.map((one) => asMended(one).record))}
          >
            Propose {changed.length === 0 ? 'fixed lines' : counted(changed.length, 'fixed line')}
          </Button>
        </>
      }
      flush
    >
      <div className={`${chips.filters} ${styles.reasons}`}>
        <ul aria-label="Reasons">
          {[{ key: undefined, text: 'All', count: rejected.length }, ...reasons].map(
            ({ key, text, count }) => (
              <li key={key ?? ''}>
                <button
                  type="button"
                  className={chips.filter}
                  data-chosen={key === reason}
                  aria-pressed={key === reason}
                  onClick={() => {
                    choose(key)
                    go(1)
                  }}
                >
                  {text} <span className="tabular">{numberText(count)}</span>
                </button>
              </li>
            ),
          )}
        </ul>
      </div>
      <FixRowsTable
        mapping={mapping}
        rejected={matching.slice((current - 1) * shown, current * shown)}
        fixed={fixed}
        isBusy={isBusy}
        fix={(one, target, cell) => setFixed(new Map(fixed).set(one, { ...fixed.get(one), [target]: cell }))}
      />
      <Pager
        page={current}
        pageSize={shown}
        data={{
          count: matching.length,
          next: current < last ? 'next' : null,
          previous: current > 1 ? 'previous' : null,
          results: [],
        }}
        go={go}
      />
    </Card>
  )
}
