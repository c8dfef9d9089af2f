import { fieldOf } from '../../../src/model/fields/product-fields.ts'
import { WordDiff } from '../../parts/format/word-diff.tsx'
import { MediaChange, MediaStrip, mediaOf } from '../../parts/pictures/media-strip.tsx'
import { strings } from '../strings.ts'
import { useFieldCurrency } from '../use-field-currency.ts'
import { innerField, lineValueText } from '../value-text.ts'
import styles from './field-change.module.css'

type Props = { field: string; before: unknown; after: unknown }

/** A field before and after: a text that stays as it is, media as pictures, lists by added and removed items, text word by word, other values side by side. */
export function FieldChange({ field, before, after }: Props) {
  const currency = useFieldCurrency(field)
  if (typeof after === 'string' && before === after)
    return (
      <div>
        <Value field={field} value={after} />
        <div className={styles.none}>{strings.change.confirmed}</div>
      </div>
    )
  if (fieldOf(innerField(field))?.kind === 'media') return <MediaChange before={before} after={after} />
  if (Array.isArray(before) || Array.isArray(after))
    return <ListChange before={textsOf(field, before, currency)} after={textsOf(field, after, currency)} />
  if (isProse(before) || isProse(after))
    return (
      <WordDiff
        before={lineValueText(field, before, currency)}
        after={lineValueText(field, after, currency)}
      />
    )
  return (
    <span className={styles.pair}>
      {before !== null && (
        <>
          <span className="unseen">{strings.change.from} </span>
          <del className={styles.before}>
            <Value field={field} value={before} />
          </del>
          <span aria-hidden="true" className={styles.arrow}>
            →
          </span>
          <span className="unseen"> {strings.change.to} </span>
        </>
      )}
      <ins className={styles.after}>
        <Value field={field} value={after} />
      </ins>
    </span>
  )
}

function Value({ field, value }: { field: string; value: unknown }) {
  const text = lineValueText(field, value, useFieldCurrency(field))
  if (text === '') return <em className={styles.none}>{strings.change.empty}</em>
  return <bdi className={styles.value}>{text}</bdi>
}

/** Shortens long values. */
export function ShortValue({ field, value }: { field: string; value: unknown }) {
  const currency = useFieldCurrency(field)
  if (fieldOf(innerField(field))?.kind === 'media') return <MediaStrip media={mediaOf(value)} />
  const text = lineValueText(field, value, currency)
  return <Value field={field} value={text.length > longestShort ? `${text.slice(0, longestShort)}…` : text} />
}

const longestShort = 160
const isProse = (value: unknown) => typeof value === 'string' && /\s/.test(value.trim())

function textsOf(field: string, value: unknown, currency: string): string[] {
  if (Array.isArray(value)) return value.map((one) => lineValueText(field, one, currency))
  return value ? [lineValueText(field, value, currency)] : []
}

function ListChange({ before, after }: { before: string[]; after: string[] }) {
  const removed = before.filter((text) => !after.includes(text))
  const isOnlyMoved = removed.length === 0 && after.every((text) => before.includes(text))
  if (after.length === 0 && removed.length === 0)
    return <em className={styles.none}>{strings.change.empty}</em>
  return (
    <ul className={styles.list}>
      {[...new Set(removed)].map((text) => (
        <li key={`removed ${text}`}>
          <span className="unseen">{strings.change.removed} </span>
          <del className={styles.before}>
            <bdi>{text}</bdi>
          </del>
        </li>
      ))}
      {[...new Set(after)].map((text) => (
        <li key={text}>
          {before.includes(text) ? (
            <bdi>{text}</bdi>
          ) : (
            <>
              <span className="unseen">{strings.change.added} </span>
              <ins className={styles.after}>
                <bdi>{text}</bdi>
              </ins>
            </>
          )}
        </li>
      ))}
      {isOnlyMoved && <li className={styles.none}>{strings.change.reordered}</li>}
    </ul>
  )
}
