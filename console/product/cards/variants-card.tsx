import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { priceText } from '../../parts/format/price-text.ts'
import { ownValue } from '../../parts/forms/own-value.ts'
import { type Column, DataTable } from '../../parts/lists/data-table.tsx'
import { Pager } from '../../parts/lists/pager.tsx'
import { Empty, Loaded } from '../../parts/loaded.tsx'
import { Card } from '../../parts/page.tsx'
import { Picture } from '../../parts/pictures/picture.tsx'
import { firstPicture } from '../../parts/pictures/picture-source.ts'
import { ProductStatusTag } from '../../parts/product-status.tsx'
import type { ProductDetail } from '../../wire.ts'
import { countText } from '../numbers.ts'
import styles from '../product.module.css'
import { ProductLink } from '../product-link.tsx'
import { maxInMatrix, variantsQuery, variantsSize } from '../queries.ts'
import { strings } from '../strings.ts'
import { ValueText } from '../value-text.tsx'
import { MatrixCard } from './matrix-card.tsx'

/** The variants of a configurable product with the values that distinguish them; a matrix if there are two axes. */
export function VariantsCard({ product }: { product: ProductDetail }) {
  const { variant_axes, variants } = product
  const [rows, columns, ...others] = variant_axes
  const count = variants?.count ?? 0
  const isTable = rows !== undefined && columns !== undefined && others.length === 0
  if (!isTable || count === 0 || count > maxInMatrix) return <VariantList product={product} />
  return <MatrixCard product={product} rows={rows} columns={columns} lead={<Summary product={product} />} />
}

function VariantList({ product }: { product: ProductDetail }) {
  const [page, setPage] = useState(1)
  const query = useQuery(variantsQuery(product.project, product.id, page))
  return (
    <Card title={strings.variants.title} lead={<Summary product={product} />} flush>
      <Loaded query={query}>
        {(data) =>
          data.count === 0 ? (
            <Empty title={strings.variants.noneTitle}>{strings.variants.noneText(product.sku)}</Empty>
          ) : (
            <>
              <section className={styles.scroll} tabIndex={-1} aria-label={strings.variants.table}>
                <DataTable
                  label={strings.variants.title}
                  columns={columnsFor(product)}
                  rows={data.results}
                  rowId={({ id }) => String(id)}
                  stale={query.isPlaceholderData}
                />
              </section>
              <Pager page={page} pageSize={variantsSize} data={data} go={setPage} />
            </>
          )
        }
      </Loaded>
    </Card>
  )
}

function Summary({ product: { variants, currency } }: { product: ProductDetail }) {
  if (variants == null) return null
  const { count, in_stock, price } = variants
  const range = [price.min, price.max].filter((one) => one !== null).map((one) => priceText(one, currency))
  return (
    <>
      {strings.variants.inStock(countText(in_stock), countText(count))}
      {range.length > 0 && strings.variants.prices([...new Set(range)])}
    </>
  )
}

function columnsFor({ project, variant_axes, media }: ProductDetail): Column<ProductDetail>[] {
  return [
    {
      header: strings.variants.columns.variant,
      id: 'variant',
      cell: ({ row: { original } }) => (
        <span className={styles.named} title={original.name}>
          <Picture file={firstPicture(original.media) ?? firstPicture(media)} form="row" />
          <ProductLink project={project} id={original.id}>
            {original.sku}
          </ProductLink>
        </span>
      ),
    },
    ...variant_axes.map(
      (axis): Column<ProductDetail> => ({
        header: axis,
        id: `axis:${axis}`,
        cell: ({ row: { original } }) => <ValueText value={ownValue(original.attributes, axis) ?? null} />,
      }),
    ),
    {
      header: strings.variants.columns.price,
      id: 'price',
      cell: ({ row: { original } }) =>
        original.price === null ? '–' : priceText(original.price, original.currency),
    },
    {
      header: strings.variants.columns.available,
      id: 'available',
      cell: ({ row: { original } }) =>
        original.inventory?.tracked ? countText(original.inventory.available) : strings.variants.notTracked,
    },
    {
      header: strings.variants.columns.status,
      id: 'status',
      cell: ({ row }) => (
        <span className={styles.whole}>
          <ProductStatusTag status={row.original.status} />
        </span>
      ),
    },
  ]
}
