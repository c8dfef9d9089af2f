import { UnstyledButton } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { Fragment, type MouseEvent, type ReactNode, useMemo, useState } from 'react'
import { compareWords, type Part } from '../../parts/format/compare-words.ts'
import { PartOfText, WordDiff } from '../../parts/format/word-diff.tsx'
import { strings } from '../strings.ts'
import styles from './side-by-side.module.css'
import { foldRows, type SideRow, sideRows } from './side-rows.ts'

/** A longer limit than during editing: the diff is the content of this page. */
const longestMilliseconds = 1_000

type Side = { name: string; head: ReactNode; text: string }

/** Two texts side by side with word changes. On narrow screens, one merged text. */
export function SideBySide({ from, to }: { from: Side; to: Side }) {
  const isWide = useMediaQuery('(min-width: 860px)', undefined, { getInitialValueInEffect: false })
  const isSame = from.text === to.text
  if (isWide && !isSame) return <Columns from={from} to={to} />
  return (
    <>
      {from.head}
      {to.head}
      {isSame ? (
        <p className={styles.same}>{strings.compare.same}</p>
      ) : (
        <WordDiff before={from.text} after={to.text} />
      )}
    </>
  )
}

function Columns({ from, to }: { from: Side; to: Side }) {
  const rows = useMemo(
    () => foldRows(sideRows(compareWords(from.text, to.text, longestMilliseconds))),
    [from.text, to.text],
  )
  return (
    <table tabIndex={-1} className={styles.sides} aria-label={strings.compare.table(from.name, to.name)}>
      <thead>
        <tr>
          <th scope="col">{from.head}</th>
          <th scope="col">{to.head}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row, index) => {
          // biome-ignore-start lint/suspicious/noArrayIndexKey: lines are identified by their position
          return 'folded' in row ? <Folded key={index} rows={row.folded} /> : <Row key={index} row={row} />
          // biome-ignore-end lint/suspicious/noArrayIndexKey: as above
        })}
      </tbody>
    </table>
  )
}

function Row({ row: { left, right } }: { row: SideRow }) {
  return (
    <tr>
      <td>
        <Line parts={left} />
      </td>
      <td>
        <Line parts={right} />
      </td>
    </tr>
  )
}

function Line({ parts }: { parts: Part[] }) {
  return (
    <div className={styles.line} dir="auto">
      {parts.map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: parts are identified by their position
        <Fragment key={index}>
          <PartOfText part={part} />
        </Fragment>
      ))}
    </div>
  )
}

function Folded({ rows }: { rows: SideRow[] }) {
  const [isOpen, setOpen] = useState(false)
  const open = ({ currentTarget }: MouseEvent<HTMLButtonElement>) => {
    // The button is about to disappear.
    currentTarget.closest('table')?.focus({ preventScroll: true })
    setOpen(true)
  }
  // biome-ignore lint/suspicious/noArrayIndexKey: lines are identified by their position
  if (isOpen) return rows.map((row, index) => <Row key={index} row={row} />)
  return (
    <tr>
      <td colSpan={2} className={styles.folded}>
        <UnstyledButton className={styles.more} onClick={open}>
          {strings.compare.showLines(rows.length)}
        </UnstyledButton>
      </td>
    </tr>
  )
}
