import { saleAttributes } from '../fields/sale-attributes.ts'

type Priced = { price: number | null; attributes: Readonly<Record<string, unknown>> }

/** The sale price on a day such as 2027-01-31, if it is below the price. The first and the last day belong to the sale. */
export function salePriceOn({ price, attributes }: Priced, day: string): number | undefined {
  const sale = attributes[saleAttributes.price]
  if (typeof sale !== 'number' || price === null || sale >= price) return undefined
  const startsOn = attributes[saleAttributes.startsOn] ?? day
  const endsOn = attributes[saleAttributes.endsOn] ?? day
  if (typeof startsOn !== 'string' || typeof endsOn !== 'string') return undefined
  return startsOn <= day && day <= endsOn ? sale : undefined
}
