const allowed = ['Stoneware', 'Porcelain', 'Glass']

export const definitionBody = {
  name: 'material',
  label: 'Material',
  group: 'Look',
  position: 10,
  type: 'choice',
  allowed,
  required_for: { product_types: ['simple'] },
  description: 'What it is made of',
}

export const definition = {
  name: 'material',
  type: 'choice',
  label: 'Material',
  group: 'Look',
  position: 10,
  unit: null,
  multiple: false,
  allowed,
  pattern: null,
  min: null,
  max: null,
  max_length: null,
  required_for: { product_types: ['simple'], categories: [] },
  mode: 'warn',
  description: 'What it is made of',
}
