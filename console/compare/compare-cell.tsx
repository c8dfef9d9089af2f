import { Button } from '@mantine/core'
import { useMemo } from 'react'
import { differingWords, foldPart } from '../parts/format/compare-words.ts'
import { priceText } from '../parts/format/price-text.ts'
import { ownValue } from '../parts/forms/own-value.ts'
import { Icon } from '../parts/icons.tsx'
import { ValueText } from '../product/value-text.tsx'
import { fieldChoices } from '../products/filter-labels.ts'
import styles from './compare.module.css'
import type { Compared, FieldRow } from './compared-fields.ts'
import { strings } from './strings.ts'
import type { Copies } from './use-copies.ts'

type Props = {
  row: FieldRow
  own: Compared
  /** The product whose words are compared with those of this one. */
  reference: Compared
  copies: Copies
  canCopy: boolean
}

/** The value of one product, or the value that the user copied to it. */
export function CompareCell({ row, own, reference, copies, canCopy }: Props) {
  const { field, label, isDifferent, isCopied } = row
  const { id, sku, inherited = [] } = own.product
  const source = copies.sourceOf(id, field)
  const mayCopy = canCopy && isDifferent && isCopied
  return (
    <td data-different={isDifferent || undefined} data-copied={source !== undefined || undefined}>
      {source === undefined ? (
        <Value row={row} own={own} reference={reference} />
      ) : (
        <>
          <span className={styles.note}>{strings.newValue}</span>
          <ins className={styles.copied}>
            <Value row={row} own={source} reference={source} />
          </ins>
          <del className={styles.old}>
            <Value row={row} own={own} reference={own} />
          </del>
        </>
      )}
      {source === undefined && (inherited as string[]).includes(field) && (
        <span className={styles.note}>{strings.inherited}</span>
      )}
      {mayCopy &&
        (source === undefined ? (
          <Button
            variant="subtle"
            size="compact-xs"
            className={styles.act}
            leftSection={<Icon name="copy" size={13} />}
            onClick={() => copies.copy(id, field)}
          >
            {strings.copy(copies.products)}
            <span className="unseen"> {strings.change(label, sku)}</span>
          </Button>
        ) : (
          <Button
            variant="subtle"
            size="compact-xs"
            className={styles.act}
            aria-label={strings.undo(label, sku)}
            leftSection={<Icon name="undo" size={13} />}
            onClick={() => copies.undo(id, field)}
          >
            {strings.undoShort}
          </Button>
        ))}
    </td>
  )
}

type Choice = { value: string; label: string }

function Value({ row: { field, isDifferent }, own, reference }: Pick<Props, 'row' | 'own' | 'reference'>) {
  const value = own.shown.get(field)
  const other = reference.shown.get(field)
  if (field === 'price' && typeof value === 'number') return <>{priceText(value, own.product.currency)}</>
  const choice = ownValue<Choice[]>(fieldChoices, field)?.find((one) => one.value === value)
  if (choice !== undefined) return <>{choice.label}</>
  if (isDifferent && own !== reference && typeof value === 'string' && typeof other === 'string')
    return value === '' ? <ValueText value={value} /> : <Words text={value} other={other} />
  return <ValueText value={value} />
}

/** A text whose words that the other text does not have are marked. Long common parts are shortened. */
function Words({ text, other }: { text: string; other: string }) {
  const parts = useMemo(() => differingWords(other, text).map(foldPart), [text, other])
  return (
    <span dir="auto">
      {parts.map(({ kind, text: part }, index) => {
        const key = `${index} ${kind}`
        if (kind === 'removed') return null
        return kind === 'added' ? <mark key={key}>{part}</mark> : <span key={key}>{part}</span>
      })}
    </span>
  )
}
