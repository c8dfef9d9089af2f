import { expect, test } from 'vitest'
import { salePriceOn } from './sale-price.ts'

const today = '2027-01-31'

test.each([
  ['without dates', { sale_price: 15 }, 15],
  ['on its first day', { sale_price: 15, sale_starts_on: today }, 15],
  ['on its last day', { sale_price: 15, sale_ends_on: today }, 15],
  ['between its dates', { sale_price: 15, sale_starts_on: '2027-01-01', sale_ends_on: '2027-02-01' }, 15],
  ['before its first day', { sale_price: 15, sale_starts_on: '2027-02-01' }, undefined],
  ['after its last day', { sale_price: 15, sale_ends_on: '2027-01-30' }, undefined],
  ['that is not below the price', { sale_price: 20 }, undefined],
  ['that is not a number', { sale_price: '15' }, undefined],
  ['with an invalid date', { sale_price: 15, sale_ends_on: 20270201 }, undefined],
  ['without a price', {}, undefined],
])('a sale %s', (_when, attributes, sale) => {
  expect(salePriceOn({ price: 20, attributes }, today)).toBe(sale)
})

test('a product without a price is not on sale', () => {
  expect(salePriceOn({ price: null, attributes: { sale_price: 15 } }, today)).toBeUndefined()
})
