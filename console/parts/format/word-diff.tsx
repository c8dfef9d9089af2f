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
  return (
    <Element className={styles[kind]}>
      <span className="unseen">{kind === 'added' ? strings.diff.added : strings.diff.removed}</span>
      {text}
    </Element>
  )
}
