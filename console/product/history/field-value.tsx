import { fieldOf } from '../../../src/model/fields/product-fields.ts'
import { priceText } from '../../parts/format/price-text.ts'
import { useCurrency } from '../../parts/use-currency.ts'
import { ValueText } from '../value-text.tsx'

/** Formats prices with their currency. Does not change other values, nor prices in markets, which may have had another currency. */
export function useFormatValue(field: string): (value: unknown) => unknown {
  const currency = useCurrency()
  const isPrice = fieldOf(field)?.kind === 'price'
  return (value) => (isPrice && typeof value === 'number' ? priceText(value, currency) : value)
}

export function FieldValue({ field, value }: { field: string; value: unknown }) {
  return <ValueText value={useFormatValue(field)(value)} />
}
