import { expect, test } from 'vitest'
import { productLimits } from '../limits/products.ts'
import { groupBySku, skusInName } from './image-names.ts'

function grouped(names: string[], skus: string[]) {
  const { bySku, leftOver } = groupBySku(
    names.map((name) => ({ name })),
    (text) => skus.includes(text),
  )
  const products = [...bySku].map(([sku, images]) => [sku, images.map(({ name }) => name)])
  return { ...Object.fromEntries(products), leftOver: leftOver.map(({ name }) => name) }
}

test('images are named by SKU, and the number in a name is its place', () => {
  const names = ['MUG_10.png', 'MUG_2.jpeg', 'MUG.JPG', 'CUP.webp', 'CUP_0.png', 'notes.txt', 'PLATE.gif']
  expect(grouped(names, ['MUG', 'CUP'])).toEqual({
    MUG: ['MUG.JPG', 'MUG_2.jpeg', 'MUG_10.png'],
    CUP: ['CUP.webp'],
    leftOver: ['CUP_0.png', 'notes.txt', 'PLATE.gif'],
  })
})

test('a SKU that ends with a number takes precedence over a place', () => {
  expect(grouped(['MUG_2.png', 'MUG_2_2.png', 'MUG_3.png'], ['MUG', 'MUG_2'])).toEqual({
    MUG_2: ['MUG_2.png', 'MUG_2_2.png'],
    MUG: ['MUG_3.png'],
    leftOver: [],
  })
})

test('letters of names can be decomposed, and a product gets only as many images as it can have', () => {
  expect(skusInName(`${'Tasse ä'.normalize('NFD')}.png`)).toEqual(['Tasse ä'])
  const many = Array.from({ length: 60 }, (_, index) => `MUG_${index + 1}.png`)
  const { bySku } = groupBySku(
    many.map((name) => ({ name })),
    (text) => text === 'MUG',
  )
  expect(bySku.get('MUG')).toHaveLength(productLimits.media)
})
