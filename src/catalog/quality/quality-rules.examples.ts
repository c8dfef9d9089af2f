const nameLength = {
  code: 'name_length',
  kind: 'text_length',
  field: 'name',
  min: 10,
  max: 80,
  points: 40,
  message: 'The name should have 10 to 80 characters. Include what it is and what sets it apart.',
}
const colorGiven = { code: 'color_given', kind: 'attribute_present', attribute: 'color', points: 30 }
const pricePresent = {
  code: 'price_present',
  kind: 'price_present',
  points: 30,
  product_types: ['simple', 'virtual'],
}

export const rulesBody = { rules: [nameLength, colorGiven, pricePresent] }

export const rulesInForce = {
  ruleset: 1,
  rules: [
    nameLength,
    { ...colorGiven, message: 'The attribute color is missing or empty.' },
    { ...pricePresent, message: 'The price is missing.' },
  ],
  added_rules: [],
  progress: { scored: 1200, products: 3400 },
}

export const rulesPreview = {
  looked_at: 2,
  products: 2,
  average: { before: 72.5, after: 85 },
  grades: [
    { grade: 'A', before: 1, after: 1 },
    { grade: 'B', before: 0, after: 0 },
    { grade: 'C', before: 0, after: 1 },
    { grade: 'D', before: 1, after: 0 },
    { grade: 'E', before: 0, after: 0 },
  ],
  rules: [
    { code: 'name_length', failed: 0 },
    { code: 'color_given', failed: 1 },
    { code: 'price_present', failed: 0 },
  ],
  changes: [
    { id: 2, sku: 'MUG-400-SAND', name: 'Stoneware mug, 0.4 l', before: 55, after: 70 },
    { id: 1, sku: 'MUG-300-SAND', name: 'Stoneware mug, 0.3 l', before: 90, after: 100 },
  ],
}
