import { Button } from '@mantine/core'
import { useState } from 'react'
import { numberText } from '../parts/format/number-text.ts'
import { Icon } from '../parts/icons.tsx'
import chips from '../parts/links/filter-links.module.css'
import { Pager } from '../parts/lists/pager.tsx'
import { Card } from '../parts/page.tsx'
import type { FileRecord } from './file/records.ts'
import type { Chosen } from './file/use-file.ts'
import { type Fixes, FixRowsTable } from './fix-rows-table.tsx'
import styles from './import.module.css'
import { mappingOf } from './lines.ts'
import { withCells } from './mapping.ts'
import { linesLike, reasonKey, reasonsOf } from './reasons.ts'
import { rejectedFile, saveFile } from './rejected-file.ts'
import type { Rejected } from './sender.ts'
import { strings } from './strings.ts'

const shown = 20

type Props = {
  chosen: Chosen
  rejected: Rejected[]
  isBusy: boolean
  again: (records: FileRecord[]) => void
}

/** Rejected lines by reason. The user can fix them here or download them. */
export function RejectedCard({ chosen: { opened, mapping: all }, rejected, isBusy, again }: Props) {
  const [fixed, setFixed] = useState<Fixes>(new Map())
  const [chosenReason, choose] = useState<string>()
  const [page, go] = useState(1)
  if (rejected.length === 0) return null
  const mapping = mappingOf(opened, all)
  const withFixes = (one: Rejected): Rejected => ({
    ...one,
    record: withCells(one.record, mapping ?? [''], fixed.get(one) ?? {}),
  })
  const reasons = reasonsOf(rejected)
  const reason = reasons.some(({ key }) => key === chosenReason) ? chosenReason : undefined
  const matching = rejected.filter(
    ({ errors }) => reason === undefined || errors.some((one) => reasonKey(one) === reason),
  )
  const last = Math.max(1, Math.ceil(matching.length / shown))
  const current = Math.min(page, last)
  const changed = rejected.filter((one) => fixed.has(one))
  return (
    <Card
      title={strings.rejected.title(rejected.length)}
      lead={strings.rejected.lead}
      actions={
        <>
          <Button
            variant="default"
            leftSection={<Icon name="download" size={16} />}
            onClick={() => saveFile(rejectedFile(opened, rejected.map(withFixes)))}
          >
            {strings.rejected.download(rejected.length)}
          </Button>
          <Button
            disabled={isBusy || changed.length === 0}
            onClick={() => again(changed.map((one) => withFixes(one).record))}
          >
            {strings.rejected.propose(changed.length)}
          </Button>
        </>
      }
      flush
    >
      <div className={styles.reasons}>
        <ul className={chips.list} aria-label={strings.rejected.reasons}>
          {[{ key: undefined, text: strings.rejected.all, count: rejected.length }, ...reasons].map(
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
        fix={(some, target, cell) => {
          const next = new Map(fixed)
          for (const one of some) next.set(one, { ...next.get(one), [target]: cell })
          setFixed(next)
        }}
        alike={(one, target) => (mapping === undefined ? [one] : linesLike(one, target, rejected, mapping))}
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
