/* All examples use the same mug. */

const time = '2026-01-31T08:15:30.000Z'
const own = {
  sku: 'MUG-300-SAND',
  name: 'Stoneware mug, 0.3 l',
  description:
    'A hand-thrown stoneware mug with a matte glaze. It holds 0.3 liters, keeps coffee warm and is dishwasher-safe.',
  short_description: 'Hand-thrown stoneware mug.',
  price: 12.5,
}
const attributes = { color: 'sand', material: 'stoneware', dishwasher_safe: true }
const picture = {
  url: 'https://images.example/mug-300-sand.jpg',
  alt: 'A sand-colored mug with a matte glaze',
}
const media = [{ url: picture.url, kind: 'image', alt: picture.alt, title: null }]
const categories = [{ id: 1, name: 'Mugs' }]

const rules = [
  ['name_length', 'name', 15],
  ['name_case', 'name', 5],
  ['description_length', 'description', 25],
  ['short_description_length', 'short_description', 10],
  ['price_present', 'price', 15],
  ['category_present', 'categories', 10],
  ['attribute_count', 'attributes', 10],
  ['attribute_values', 'attributes', 5],
  ['sku_form', 'sku', 5],
] as const

function passedRule(code: string, field: string, points: number): object {
  return { code, field, passed: true, points, max_points: points, message: 'Passed.' }
}

export const productBody = {
  ...own,
  status: 'active',
  product_type: 'simple',
  categories: [{ name: 'Mugs' }],
  attributes,
  media: [picture],
  inventory: { quantity: 40, low_stock_threshold: 5 },
}

export function inventoryWith(quantity: number): object {
  return {
    tracked: true,
    quantity,
    reserved: 0,
    available: quantity,
    in_stock: true,
    low_stock_threshold: 5,
    backorders: false,
    updated_at: time,
  }
}

export const productDetail = {
  id: 1,
  ...own,
  currency: 'EUR',
  status: 'active',
  product_type: 'simple',
  created_at: time,
  updated_at: time,
  project: 1,
  version: 1,
  categories,
  attributes,
  media,
  parent: null,
  variant_axes: [],
  variants: null,
  components: [],
  links: {},
  inventory: inventoryWith(40),
  quality_score: {
    score: 100,
    grade: 'A',
    completeness: 100,
    computed_at: time,
    rules: rules.map(([code, field, points]) => passedRule(code, field, points)),
    ruleset: 0,
  },
  provenance: {},
}
