import { Button } from '@mantine/core'
import { type ReactNode, useMemo, useState } from 'react'
import { compareWords, foldPart, type Part } from '../../parts/format/compare-words.ts'
import { isMediaList, MediaStrip, mediaOf } from '../../parts/pictures/media-strip.tsx'
import { strings } from '../strings.ts'
import { ValueText, valueText } from '../value-text.tsx'
import { useFormatValue } from './field-value.tsx'
import styles from './history.module.css'

type Props = {
  field: string
  label: string
  before: unknown
  after: unknown
  /** Actions for each side. */
  actions: { before: ReactNode; after: ReactNode }
}

const longText = 400

/** A field before and after a change, with the differing words marked. */
export function ChangedValue({ field, label, before, after, actions }: Props) {
  const isMedia = isMediaList(before) || isMediaList(after)
  const formatValue = useFormatValue(field)
  const [old, recent] = [valueText(formatValue(before)), valueText(formatValue(after))]
  const parts = useMemo(() => compareWords(old, recent), [old, recent])
  const isLong = !isMedia && old.length + recent.length > longText
  const [isFolded, setFolded] = useState(isLong)
  const shown = isFolded ? parts.map(foldPart) : parts
  return (
    <div className={styles.change}>
      <h3>
        <bdi>{label}</bdi>
      </h3>
      <div className={styles.sides}>
        <div>
          <p className={styles.side}>{strings.history.before}</p>
          {isMedia ? (
            <MediaStrip media={mediaOf(before)} other={mediaOf(after)} marked="removed" />
          ) : (
            <Side text={old} parts={shown} without="added" />
          )}
          {actions.before}
        </div>
        <div>
          <p className={styles.side}>{strings.history.after}</p>
          {isMedia ? (
            <MediaStrip media={mediaOf(after)} other={mediaOf(before)} marked="added" />
          ) : (
            <Side text={recent} parts={shown} without="removed" />
          )}
          {actions.after}
        </div>
      </div>
      {isLong && (
        <Button
          variant="subtle"
          size="compact-xs"
          onClick={() => setFolded(!isFolded)}
          aria-expanded={!isFolded}
        >
          {isFolded ? strings.history.wholeText : strings.history.onlyChanges}
          <span className="unseen"> {strings.history.ofField(label)}</span>
        </Button>
      )}
    </div>
  )
}

type SideProps = { text: string; parts: Part[]; without: Part['kind'] }

function Side({ text, parts, without }: SideProps) {
  if (text === '') return <ValueText value={null} />
  return (
    <div className={styles.text} dir="auto">
      {parts.map(({ text, kind }, index) => {
        if (kind === without) return null
        const key = `${index} ${kind}`
        if (kind === 'removed') return <del key={key}>{text}</del>
        if (kind === 'added') return <ins key={key}>{text}</ins>
        return <span key={key}>{text}</span>
      })}
    </div>
  )
}
