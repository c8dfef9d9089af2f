import { type CSSProperties, useId } from 'react'
import type { ListedProduct } from '../wire.ts'
import { ColumnHeader } from './columns/column-header.tsx'
import { defaultColumns } from './columns/column-names.ts'
import { columnField, widthOf } from './columns/columns.tsx'
import { ProductRow, SkeletonRow } from './product-row.tsx'
import styles from './product-table.module.css'
import type { Selection } from './selection.ts'
import { strings } from './strings.ts'

type Props = {
  project: number
  /** The query string of the list, which gives the product page its neighbors. */
  from: string
  /** The language or market of the rows. */
  market: string | undefined
  /** Undefined while the first page loads. */
  rows: ListedProduct[] | undefined
  columns: string[]
  widths: Record<string, number>
  setWidth: (column: string, width: number) => void
  ordering: string
  sort: (ordering: string) => void
  selection: Selection
  /** Dimmed while other rows load. */
  isStale: boolean
}

const checkWidth = 40
const pictureWidth = 44
const skeletonRows = 12

/** Scrolls horizontally. Checkboxes and SKUs stay visible. */
export function ProductTable({ rows, isStale, ...props }: Props) {
  const { columns, widths, selection } = props
  const isFlexible = (column: string) => columnField(column).isFlexible && widths[column] === undefined
  const widthIn = (column: string) => widths[column] ?? widthOf(column, rows ?? [])
  const widthBut = (...ranks: (string | undefined)[]) =>
    columns
      .filter((column) => !ranks.includes(columnField(column).rank ?? 'high'))
      .reduce((sum, column) => sum + widthIn(column), checkWidth + pictureWidth)
  return (
    <section
      aria-label={strings.list.scrollable}
      className={styles.frame}
      data-scrolls
      data-scroll-restoration-id="products"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
      tabIndex={0}
    >
      <table
        aria-label={strings.list.label}
        aria-busy={isStale || rows === undefined}
        className={styles.table}
        data-default={columns.join() === defaultColumns.join() || undefined}
        style={
          {
            '--width': `${widthBut()}px`,
            '--medium': `${widthBut('lowest')}px`,
            '--narrow': `${widthBut('low', 'lowest')}px`,
          } as CSSProperties
        }
      >
        <colgroup>
          <col style={{ width: checkWidth }} />
          <col style={{ width: pictureWidth }} />
          {columns.map((column) => (
            <col
              key={column}
              data-rank={columnField(column).rank}
              style={isFlexible(column) ? undefined : { width: widthIn(column) }}
            />
          ))}
        </colgroup>
        <Head {...props} rows={rows ?? []} />
        <tbody>
          {rows === undefined
            ? Array.from({ length: skeletonRows }, (_, row) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no identity
                <SkeletonRow key={row} columns={columns} />
              ))
            : rows.map((product) => (
                <ProductRow
                  key={product.id}
                  product={product}
                  columns={columns}
                  project={props.project}
                  from={props.from}
                  market={props.market}
                  isSelected={selection.has(product.id)}
                  toggle={selection.toggle}
                />
              ))}
        </tbody>
      </table>
    </section>
  )
}

type HeadProps = Omit<Props, 'rows' | 'isStale'> & { rows: ListedProduct[] }

function Head({ rows, columns, widths, setWidth, ordering, sort, selection }: HeadProps) {
  const chosen = rows.filter(({ id }) => selection.has(id)).length
  const checkId = useId()
  const isWhole = rows.length > 0 && chosen === rows.length
  return (
    <thead>
      <tr>
        <th scope="col" className={styles.check}>
          <input
            id={checkId}
            type="checkbox"
            aria-label={strings.list.selectPage}
            checked={isWhole}
            disabled={rows.length === 0}
            ref={(box) => {
              if (box !== null) box.indeterminate = chosen > 0 && !isWhole
            }}
            onChange={selection.togglePage}
          />
          <label htmlFor={checkId} className={styles.checkLabel}>
            {strings.list.selectPageShort}
          </label>
        </th>
        <th scope="col" className={styles.picture}>
          <span className="unseen">{strings.list.picture}</span>
        </th>
        {columns.map((column) => (
          <ColumnHeader
            key={column}
            column={column}
            width={widths[column] ?? widthOf(column, rows)}
            setWidth={setWidth}
            ordering={ordering}
            sort={sort}
          />
        ))}
      </tr>
    </thead>
  )
}
