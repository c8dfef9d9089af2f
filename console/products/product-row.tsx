import { Skeleton } from '@mantine/core'
import { Link, type LinkProps } from '@tanstack/react-router'
import { memo } from 'react'
import { Picture } from '../parts/pictures/picture.tsx'
import { firstPicture } from '../parts/pictures/picture-source.ts'
import type { ListedProduct } from '../wire.ts'
import { columnLabel } from './columns/column-names.ts'
import { columnField } from './columns/columns.tsx'
import { MarketNote } from './market/market-note.tsx'
import { MatchNote } from './match-note.tsx'
import styles from './product-table.module.css'
import type { Selection } from './selection.ts'
import { strings } from './strings.ts'

type Props = {
  product: ListedProduct
  columns: string[]
  project: number
  /** The query string of the list, which gives the product page its neighbors. */
  from: string
  /** The language or market of the list. */
  market: string | undefined
  isSelected: boolean
  toggle: Selection['toggle']
}

function productLink({ project, product: { id }, from, market }: Props): LinkProps {
  return { to: `/projects/${project}/products/${id}`, search: { from, market } } as unknown as LinkProps
}

// Memoized, because a page has up to 200 rows and a selection changes one.
export const ProductRow = memo(function ProductRow(props: Props) {
  const { product, columns, isSelected, toggle } = props
  const { id, sku } = product
  return (
    <tr data-product={id} data-selected={isSelected || undefined}>
      <td className={styles.check}>
        <input
          type="checkbox"
          aria-label={strings.list.select(sku)}
          checked={isSelected}
          onChange={({ nativeEvent }) => toggle(id, (nativeEvent as MouseEvent).shiftKey === true)}
        />
      </td>
      <td className={styles.picture}>
        <Picture file={firstPicture(product.media)} form="row" />
      </td>
      {columns.map((column) =>
        column === 'sku' ? (
          <th key={column} scope="row" className={styles.sku}>
            <Link {...productLink(props)} title={sku}>
              <bdi>{sku}</bdi>
            </Link>
            {!columns.includes('name') && <MatchNote product={product} columns={columns} />}
          </th>
        ) : (
          <td
            key={column}
            data-column={column}
            data-rank={columnField(column).rank}
            data-label={columnLabel(column)}
            className={columnField(column).isNumber ? styles.number : undefined}
          >
            {columnField(column).cell(product)}
            {column === 'name' && <MatchNote product={product} columns={columns} />}
            {column === 'name' && <MarketNote product={product} />}
          </td>
        ),
      )}
    </tr>
  )
})

/** As high as a row, so that the layout does not shift when the rows load. */
export function SkeletonRow({ columns }: { columns: string[] }) {
  return (
    <tr>
      <td className={styles.check} />
      <td className={styles.picture}>
        <Picture file={undefined} form="row" />
      </td>
      {columns.map((column) => (
        <td key={column} className={column === 'sku' ? styles.sku : undefined}>
          <Skeleton height={12} radius="sm" width="70%" />
        </td>
      ))}
    </tr>
  )
}
