import { ActionIcon } from '@mantine/core'
import { Icon } from '../parts/icons.tsx'
import { Picture } from '../parts/pictures/picture.tsx'
import { firstPicture } from '../parts/pictures/picture-source.ts'
import { ProductStatusTag } from '../parts/product-status.tsx'
import { ProductLink } from '../product/product-link.tsx'
import styles from './compare.module.css'
import { CompareCell } from './compare-cell.tsx'
import type { Compared, FieldRow } from './compared-fields.ts'
import { strings } from './strings.ts'
import type { Copies } from './use-copies.ts'

type Props = {
  products: readonly Compared[]
  rows: readonly FieldRow[]
  copies: Copies
  canCopy: boolean
  /** Undefined if only two products are left. */
  remove: ((id: number) => void) | undefined
}

/** Products side by side. Their names and the labels of the fields stay visible. */
export function CompareTable({ products, rows, copies, canCopy, remove }: Props) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboards scroll the table
    <section className={styles.frame} aria-label={strings.label} tabIndex={0} data-scrolls>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">
              <span className="unseen">{strings.field}</span>
            </th>
            {products.map((own) => (
              <ProductHead key={own.product.id} own={own} remove={remove} />
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.field}>
              <th scope="row">
                <bdi>{row.label}</bdi>
              </th>
              {products.map((own, index) => (
                <CompareCell
                  key={own.product.id}
                  row={row}
                  own={own}
                  reference={products[index === 0 ? 1 : 0] ?? own}
                  copies={copies}
                  canCopy={canCopy}
                />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

function ProductHead({ own: { product }, remove }: { own: Compared } & Pick<Props, 'remove'>) {
  const { id, name, sku, status, media } = product
  return (
    <th scope="col">
      <div className={styles.head}>
        <Picture file={firstPicture(media)} form="line" />
        <div className={styles.name}>
          <ProductLink project={product.project} id={id}>
            <bdi>{name}</bdi>
          </ProductLink>
          <span className={styles.sku}>
            <bdi>{sku}</bdi>
          </span>
          <ProductStatusTag status={status} />
        </div>
        {remove !== undefined && (
          <ActionIcon
            variant="subtle"
            color="gray"
            size="sm"
            aria-label={strings.remove(sku)}
            onClick={() => remove(id)}
          >
            <Icon name="cross" size={14} />
          </ActionIcon>
        )}
      </div>
    </th>
  )
}
