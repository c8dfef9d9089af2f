import { fieldOf } from '../../../src/model/fields/product-fields.ts'
import { fieldInMarket } from '../../markets/labels.ts'
import { useFieldCurrency } from '../../markets/use-field-currency.ts'
import { priceText } from '../../parts/format/price-text.ts'
import { ValueText } from '../value-text.tsx'

/** Formats prices with their currency. Does not change other values. */
export function useFormatValue(field: string): (value: unknown) => unknown {
  const currency = useFieldCurrency(field)
  const isPrice = fieldOf(fieldInMarket(field)?.field ?? field)?.kind === 'price'
  return (value) => (isPrice && typeof value === 'number' ? priceText(value, currency) : value)
}

export function FieldValue({ field, value }: { field: string; value: unknown }) {
  return <ValueText value={useFormatValue(field)(value)} />
}
