import { UnstyledButton } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { Fragment, type MouseEvent, type ReactNode, useMemo, useState } from 'react'
import { compareWords, type Part } from '../../parts/words/compare-words.ts'
import { counted } from '../../parts/words/number-text.ts'
import { PartOfText, WordDiff } from '../../parts/words/word-diff.tsx'
import styles from './side-by-side.module.css'
import { foldRows, type SideRow, sideRows } from './side-rows.ts'

/** Nobody types meanwhile, and the text is what the page is about. */
const longestMilliseconds = 1_000

type Side = { name: string; head: ReactNode; text: string }

/** Two texts beside each other, word by word; as one text where there is no room for two. */
export function SideBySide({ from, to }: { from: Side; to: Side }) {
  const isWide = useMediaQuery('(min-width: 860px)', undefined, { getInitialValueInEffect: false })
  const isSame = from.text === to.text
  if (isWide && !isSame) return <Columns from={from} to={to} />
  return (
    <>
      {from.head}
      {to.head}
      {isSame ? (
        <p className={styles.same}>Both have the same text.</p>
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
    <table tabIndex={-1} className={styles.sides} aria-label={`${from.name} and ${to.name}, word by word`}>
      <thead>
        <tr>
          <th scope="col">{from.head}</th>
          <th scope="col">{to.head}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row, place) => {
          // biome-ignore-start lint/suspicious/noArrayIndexKey: lines have no identity but their place
          return 'folded' in row ? <Folded key={place} rows={row.folded} /> : <Row key={place} row={row} />
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
      {parts.map((part, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: parts have no identity but their place
        <Fragment key={place}>
          <PartOfText part={part} />
        </Fragment>
      ))}
    </div>
  )
}

function Folded({ rows }: { rows: SideRow[] }) {
  const [isOpen, setOpen] = useState(false)
  const open = ({ currentTarget }: MouseEvent<HTMLButtonElement>) => {
    // The focus would go with the button.
    currentTarget.closest('table')?.focus({ preventScroll: true })
    setOpen(true)
  }
  // biome-ignore lint/suspicious/noArrayIndexKey: lines have no identity but their place
  if (isOpen) return rows.map((row, place) => <Row key={place} row={row} />)
  return (
    <tr>
      <td colSpan={2} className={styles.folded}>
        <UnstyledButton className={styles.more} onClick={open}>
          Show {counted(rows.length, 'line')} that both have
        </UnstyledButton>
      </td>
    </tr>
  )
}
