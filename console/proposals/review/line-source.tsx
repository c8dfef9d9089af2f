import { useCurrency } from '../../parts/use-currency.ts'
import type { ProductDetail, ProposalLine } from '../../wire.ts'
import { strings } from '../strings.ts'
import { fieldName, lineValueText } from '../value-text.ts'
import styles from './review.module.css'

/** Texts that a prompt can use. The line itself shows the fields that it changes. */
const texts = ['name', 'short_description', 'description'] as const

/** The values of the product from which a prompt wrote the text. */
export function LineSource({ line, product }: { line: ProposalLine; product: ProductDetail }) {
  const currency = useCurrency()
  const fields: [string, unknown][] = [
    ...texts.map((field): [string, unknown] => [field, product[field]]),
    ...Object.entries(product.attributes).map(([name, value]): [string, unknown] => [
      `attributes.${name}`,
      value,
    ]),
  ]
  const rows = fields
    .filter(([field]) => !Object.hasOwn(line.changes, field))
    .map(([field, value]) => ({ field, text: lineValueText(field, value, currency) }))
    .filter(({ text }) => text !== '')
  if (rows.length === 0) return null
  return (
    <details open className={styles.source}>
      <summary>{strings.review.source}</summary>
      <dl>
        {rows.map(({ field, text }) => (
          <div key={field}>
            <dt>
              <bdi>{fieldName(field).name}</bdi>
            </dt>
            <dd>
              <bdi>{text}</bdi>
            </dd>
          </div>
        ))}
      </dl>
    </details>
  )
}
