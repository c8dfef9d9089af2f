import type { ReactNode } from 'react'
import type { FieldOf } from '../../../src/model/fields/product-fields.ts'
import { Price } from '../../parts/format/price.tsx'
import { priceText } from '../../parts/format/price-text.ts'
import { RelativeTime } from '../../parts/format/relative-time.tsx'
import { ownValue } from '../../parts/forms/own-value.ts'
import { exactText } from '../../parts/numbers/number-hint.ts'
import { ProductStatusTag } from '../../parts/product-status.tsx'
import type { ProductDetail } from '../../wire.ts'
import { typeLabels } from '../filter-labels.ts'
import styles from '../product-table.module.css'
import { strings } from '../strings.ts'
import { attributeOf } from './column-names.ts'

type Field = {
  /** The least width of a column that is flexible. */
  width: number
  /** Takes the space that is left, so that less text is cut off. */
  isFlexible?: boolean
  /** Hidden first if the window is too narrow for the default columns. */
  rank?: 'low' | 'lowest'
  isNumber?: boolean
  /** The API's sort field, if the column is sortable. */
  ordering?: string
  cell: (product: ProductDetail) => ReactNode
  /** Text that must not be cut off: sets the column's minimum width, unless the user makes it narrower. */
  text?: (product: ProductDetail) => string
}

const number = new Intl.NumberFormat()

/** Columns that show more than text. */
const fields: Record<string, Field> = {
  // The table renders it as a link.
  sku: { width: 132, ordering: 'sku', cell: ({ sku }) => sku },
  name: {
    width: 160,
    isFlexible: true,
    ordering: 'name',
    cell: ({ name }) => (
      <bdi className={styles.twoLines} title={name}>
        {name}
      </bdi>
    ),
  },
  status: { width: 96, ordering: 'status', cell: ({ status }) => <ProductStatusTag status={status} /> },
  product_type: {
    width: 120,
    ordering: 'product_type',
    cell: ({ product_type }) => typeLabels[product_type],
  },
  price: {
    width: 92,
    isNumber: true,
    ordering: 'price',
    cell: (product) => <Price product={product}>{priceOf(product)}</Price>,
    text: priceOf,
  },
  inventory: { width: 76, isNumber: true, cell: stockText },
  quality_score: { width: 78, rank: 'low', isNumber: true, ordering: 'quality_score', cell: scoreText },
  categories: {
    width: 190,
    cell: ({ categories }) => <bdi>{categories.map(({ name }) => name).join(', ')}</bdi>,
  },
  updated_at: {
    width: 126,
    rank: 'lowest',
    ordering: 'updated_at',
    cell: ({ updated_at }) => <RelativeTime at={updated_at} />,
  },
  created_at: {
    width: 126,
    ordering: 'created_at',
    cell: ({ created_at }) => <RelativeTime at={created_at} />,
  },
  media: {
    width: 90,
    isNumber: true,
    cell: ({ media }) => number.format(media.filter(({ kind }) => kind === 'image').length),
  },
  id: { width: 90, isNumber: true, ordering: 'id', cell: ({ id }) => id },
}

export function columnField(column: string): Field {
  const attribute = attributeOf(column)
  if (attribute === undefined) return ownValue(fields, column) ?? textColumn(column as FieldOf<'text'>)
  return { width: 140, cell: ({ attributes }) => <bdi>{attributeText(ownValue(attributes, attribute))}</bdi> }
}

function textColumn(name: FieldOf<'text'>): Field {
  return { width: 160, cell: ({ [name]: text }) => <bdi>{text}</bdi> }
}

const characterWidth = 8.5
const cellPadding = 26

/** The default width of a column for these rows. */
export function widthOf(column: string, rows: readonly ProductDetail[]): number {
  const { width, text } = columnField(column)
  if (text === undefined) return width
  const longest = rows.reduce((most, row) => Math.max(most, text(row).length), 0)
  return Math.max(width, Math.ceil(longest * characterWidth) + cellPadding)
}

function attributeText(value: unknown): string {
  if (Array.isArray(value)) return value.map(attributeText).join(', ')
  if (typeof value === 'boolean') return value ? strings.columns.yes : strings.columns.no
  return typeof value === 'number' ? exactText(value) : String(value ?? '')
}

/** A configurable product without its own price has the prices of its variants. */
function priceOf({ price, currency, variants }: ProductDetail): string {
  if (price !== null) return priceText(price, currency)
  const { min, max } = variants?.price ?? { min: null, max: null }
  if (min === null) return '–'
  return min === max ? priceText(min, currency) : strings.columns.from(priceText(min, currency))
}

function stockText({ inventory }: ProductDetail): ReactNode {
  if (inventory === undefined) return '–'
  if (!inventory.tracked) return <span title={strings.columns.untracked}>{strings.columns.unlimited}</span>
  if (inventory.in_stock) return number.format(inventory.available)
  return (
    <span className={styles.out} title={strings.columns.outOfStock}>
      {number.format(inventory.available)}
    </span>
  )
}

function scoreText({ quality_score: { score, grade } }: ProductDetail): ReactNode {
  return (
    <>
      {score} <span className={styles.grade}>{grade}</span>
    </>
  )
}
