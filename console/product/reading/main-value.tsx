import { productFields } from '../../../src/model/fields/product-fields.ts'
import { priceText } from '../../parts/format/price-text.ts'
import { ProductStatusTag } from '../../parts/product-status.tsx'
import type { ProductDetail } from '../../wire.ts'
import type { MainName } from '../cards/main-field.tsx'
import { productTypes } from '../product-types.ts'
import { strings } from '../strings.ts'
import { ValueText } from '../value-text.tsx'

/** The value of a field that every product has, as text. */
export function MainValue({ product, field }: { product: ProductDetail; field: MainName }) {
  const { kind } = productFields[field]
  const { price, currency } = product
  const least = product.variants?.price.min ?? null
  if (field === 'status') return <ProductStatusTag status={product.status} />
  if (field === 'product_type')
    return productTypes.find(({ value }) => value === product.product_type)?.label ?? product.product_type
  if (kind === 'code') return <code>{product[field]}</code>
  if (kind === 'price' && price === null && least !== null)
    return strings.main.priceFrom(priceText(least, currency))
  if (kind === 'price') return <ValueText value={price === null ? null : priceText(price, currency)} />
  return <ValueText value={product[field]} />
}
