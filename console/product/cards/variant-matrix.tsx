import { Button } from '@mantine/core'
import { priceText } from '../../parts/format/price-text.ts'
import { Icon } from '../../parts/icons.tsx'
import { Picture } from '../../parts/pictures/picture.tsx'
import { firstPicture } from '../../parts/pictures/picture-source.ts'
import type { ProductDetail } from '../../wire.ts'
import { countText } from '../numbers.ts'
import { ProductLink } from '../product-link.tsx'
import { strings } from '../strings.ts'
import { type AxisValues, axisNames } from './add-variant-dialog.tsx'
import type { Axes } from './variant-axes.ts'
import styles from './variant-matrix.module.css'

type Props = {
  axes: Axes
  /** The pictures of the parent, for variants without their own. */
  family: ProductDetail['media']
  /** Undefined for viewers. */
  add: ((values: AxisValues) => void) | undefined
}

/** The variants by their two axes. Combinations that do not exist can be added. */
export function VariantMatrix({ axes, family, add }: Props) {
  const { rows, columns, down, across } = axes
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
          {down.map((value, row) => (
            <tr key={value}>
              <th scope="row">
                <bdi>{value}</bdi>
              </th>
              {across.map((other, column) => {
                const variant = axes.at(row, column)
                return (
                  <td key={other}>
                    {variant === undefined ? (
                      <EmptyCell values={axes.valuesAt(row, column)} add={add} />
                    ) : (
                      <Cell variant={variant} family={family} />
                    )}
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

type EmptyProps = { values: AxisValues; add: Props['add']; isInGrid?: boolean }

/** In a grid, the cell has the tab stop, and Enter presses its button. */
export function EmptyCell({ values, add, isInGrid = false }: EmptyProps) {
  if (add === undefined) return <span className={styles.none}>–</span>
  const label = strings.variants.add(axisNames(values))
  return (
    <Button
      variant="subtle"
      color="gray"
      size="compact-xs"
      className={styles.add ?? ''}
      leftSection={<Icon name="plus" size={12} />}
      tabIndex={isInGrid ? -1 : 0}
      aria-label={label}
      title={label}
      onClick={() => add(values)}
    >
      {strings.variants.addShort}
    </Button>
  )
}

/** A variant without its own picture shows its parent's picture. */
function Cell({ variant, family }: { variant: ProductDetail; family: ProductDetail['media'] }) {
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
