import { useQuery } from '@tanstack/react-query'
import { priceText } from '../../parts/format/price-text.ts'
import { ownValue } from '../../parts/forms/own-value.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { Picture } from '../../parts/pictures/picture.tsx'
import { firstPicture } from '../../parts/pictures/picture-source.ts'
import type { ProductDetail } from '../../wire.ts'
import { countText } from '../numbers.ts'
import { ProductLink } from '../product-link.tsx'
import { allVariantsQuery } from '../queries.ts'
import { strings } from '../strings.ts'
import { valueText } from '../value-text.tsx'
import styles from './variant-matrix.module.css'

type Props = { product: ProductDetail; rows: string; columns: string }

/** The variants by their two axes, with a dash for combinations that do not exist. */
export function VariantMatrix({ product, rows, columns }: Props) {
  const query = useQuery(allVariantsQuery(product.project, product.id))
  return (
    <Loaded query={query}>
      {({ results }) => {
        const down = valuesOf(results, rows)
        const across = valuesOf(results, columns)
        const byCell = new Map(results.map((one) => [cellKey(one, rows, columns), one]))
        return (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also by the keyboard
          <section className={styles.frame} tabIndex={0} aria-label={strings.variants.table} data-scrolls>
            <table className={styles.matrix} aria-label={strings.variants.byAxes(rows, columns)}>
              <thead>
                <tr>
                  <th scope="col">
                    <bdi>{rows}</bdi> / <bdi>{columns}</bdi>
                  </th>
                  {across.map((value) => (
                    <th key={value} scope="col">
                      <bdi>{value}</bdi>
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {down.map((value) => (
                  <tr key={value}>
                    <th scope="row">
                      <bdi>{value}</bdi>
                    </th>
                    {across.map((other) => (
                      <td key={other}>
                        <Cell variant={byCell.get(JSON.stringify([value, other]))} family={product.media} />
                      </td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
          </section>
        )
      }}
    </Loaded>
  )
}

const axisText = ({ attributes }: ProductDetail, axis: string) =>
  valueText(ownValue(attributes, axis) ?? null)
const cellKey = (variant: ProductDetail, rows: string, columns: string) =>
  JSON.stringify([axisText(variant, rows), axisText(variant, columns)])

/** Distinct values. Numbers are sorted; other values, such as S, M and L, keep the order of creation. */
function valuesOf(variants: ProductDetail[], axis: string): string[] {
  const values = [...new Set(variants.map((one) => axisText(one, axis)))]
  return values.every((value) => value !== '' && !Number.isNaN(Number(value)))
    ? values.sort((one, other) => Number(one) - Number(other))
    : values
}

type CellProps = { variant: ProductDetail | undefined; family: ProductDetail['media'] }

/** A variant without its own picture shows its parent's picture. */
function Cell({ variant, family }: CellProps) {
  if (variant === undefined) return <span className={styles.none}>–</span>
  const { project, id, sku, name, price, currency, inventory, status, media } = variant
  return (
    <div className={styles.cell} title={name}>
      <Picture file={firstPicture(media) ?? firstPicture(family)} form="row" />
      <ProductLink project={project} id={id}>
        {sku}
      </ProductLink>
      <span className={styles.small}>
        {[
          price === null ? undefined : priceText(price, currency),
          inventory?.tracked ? strings.variants.available(countText(inventory.available)) : undefined,
          status === 'active' ? undefined : status,
        ]
          .filter((word) => word !== undefined)
          .join(' · ')}
      </span>
    </div>
  )
}
