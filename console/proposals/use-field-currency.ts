import { fieldInMarket } from '../markets/labels.ts'
import { useMarkets } from '../markets/use-markets.ts'
import { useCurrency } from '../parts/use-currency.ts'

/** The currency of a price: that of the language or market, or of the project. */
export function useFieldCurrency(field: string): string {
  const { markets } = useMarkets()
  const currency = useCurrency()
  const code = fieldInMarket(field)?.code
  return markets.find((market) => market.code === code)?.currency ?? currency
}
