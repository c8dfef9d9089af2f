/** The attributes of a sale. */
export const saleAttributes = {
  price: 'sale_price',
  startsOn: 'sale_starts_on',
  endsOn: 'sale_ends_on',
} as const
