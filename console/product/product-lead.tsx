import { RelativeTime } from '../parts/format/relative-time.tsx'
import { ProductStatusTag } from '../parts/product-status.tsx'
import type { ProductDetail } from '../wire.ts'
import styles from './product.module.css'
import { strings } from './strings.ts'

export function ProductLead({ product: { sku, status, version, updated_at } }: { product: ProductDetail }) {
  return (
    <span className={styles.lead}>
      <code>{sku}</code>
      <ProductStatusTag status={status} />
      <span>
        {strings.page.versionUpdated(version)} <RelativeTime at={updated_at} isInSentence />
      </span>
    </span>
  )
}
