import { UnstyledButton } from '@mantine/core'
import { useMemo, useState } from 'react'
import { strings } from '../strings.ts'
import { compareWords, foldPart, type Part } from './compare-words.ts'
import styles from './word-diff.module.css'

/** A word-by-word diff of two texts with some context. */
export function WordDiff({ before, after }: { before: string; after: string }) {
  const [isWhole, setWhole] = useState(false)
  const whole = useMemo(() => compareWords(before, after), [before, after])
  const folded = useMemo(() => whole.map(foldPart), [whole])
  const isLong = folded.some((part, index) => part !== whole[index])
  return (
    <div className={styles.diff}>
      <div className={styles.text} dir="auto">
        {(isWhole ? whole : folded).map((part, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: parts are identified by their position
          <PartOfText key={index} part={part} />
        ))}
      </div>
      {isLong && (
        <UnstyledButton className={styles.more} aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
          {isWhole ? strings.diff.less : strings.diff.all}
        </UnstyledButton>
      )}
    </div>
  )
}

export function PartOfText({ part: { kind, text } }: { part: Part }) {
  if (kind === 'same') return text
  const Element = kind === 'added' ? 'ins' : 'del'
  // Empty lines have no mark of their own.
  return text.split(/(\n\s*)/).map((piece, index) =>
    piece.trim() === '' && index % 2 === 1 ? (
      piece
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: pieces are identified by their position
      <Element key={index} className={styles[kind]}>
        {index === 0 && (
          <span className="unseen">{kind === 'added' ? strings.diff.added : strings.diff.removed}</span>
        )}
        {piece}
      </Element>
    ),
  )
}
