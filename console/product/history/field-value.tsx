import { fieldOf } from '../../../src/model/fields/product-fields.ts'
import { fieldInMarket } from '../../markets/labels.ts'
import { useFieldCurrency } from '../../markets/use-field-currency.ts'
import { priceText } from '../../parts/format/price-text.ts'
import { ValueText } from '../value-text.tsx'

/** Prices become text with their currency; other values stay as they are. */
export function useShownValue(field: string): (value: unknown) => unknown {
  const currency = useFieldCurrency(field)
  const isPrice = fieldOf(fieldInMarket(field)?.field ?? field)?.kind === 'price'
  return (value) => (isPrice && typeof value === 'number' ? priceText(value, currency) : value)
}

export function FieldValue({ field, value }: { field: string; value: unknown }) {
  return <ValueText value={useShownValue(field)(value)} />
}
