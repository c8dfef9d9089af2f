import { salePriceOn } from '../../../src/model/product/sale-price.ts'
import type { ProductDetail } from '../../wire.ts'
import { strings } from '../strings.ts'
import styles from './price.module.css'
import { priceText } from './price-text.ts'

type Props = { product: Pick<ProductDetail, 'price' | 'currency' | 'attributes'>; children: string }

/** The price as text, or both prices while the product is on sale. */
export function Price({ product, children }: Props) {
  const sale = salePriceOn(product, localDay())
  if (sale === undefined) return children
  return (
    <span className={styles.sale}>
      <s>
        <span className="unseen">{strings.price.regular} </span>
        {children}
      </s>{' '}
      <strong>
        <span className="unseen">{strings.price.sale} </span>
        {priceText(sale, product.currency)}
      </strong>
    </span>
  )
}

/** The user's current day in ISO format. */
function localDay(): string {
  const now = new Date()
  return new Date(now.getTime() - now.getTimezoneOffset() * 60_000).toISOString().slice(0, 10)
}
