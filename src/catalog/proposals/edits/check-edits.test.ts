import { expect, test } from 'vitest'
import { compileBody } from '../../../platform/http/body/validate-body.ts'
import { checkEdits } from './check-edits.ts'
import { type Edit, EditsSchema } from './edit.schema.ts'

const errorsOf = (edit: object) =>
  checkEdits([edit as Edit]).map(({ pointer, code, message }) => `${pointer} ${code}: ${message}`)

test.each([
  { field: 'name', op: 'set', value: 'Shirt' },
  { field: 'name', op: 'append', value: ' ' },
  { field: 'name', op: 'prepend', value: `${'x'.repeat(254)}` },
  { field: 'name', op: 'replace', value: { find: 'a', with: '' } },
  { field: 'sku', op: 'append', value: '-B' },
  { field: 'sku', op: 'replace', value: { find: ' ', with: '-' } },
  { field: 'description', op: 'clear' },
  { field: 'price', op: 'set', value: null },
  { field: 'price', op: 'multiply', value: 1e-7, decimals: 4 },
  { field: 'price', op: 'add', value: -5, decimals: 0 },
  { field: 'price', op: 'multiply', value: 1.1, round: { ending: 0.95 } },
  { field: 'price', op: 'add', value: 1, round: { step: 0.05, direction: 'up' } },
  { field: 'attributes.sale_price', op: 'multiply', value: 0.8, from: 'price', round: { ending: 0.95 } },
  { field: 'product_type', op: 'set', value: 'virtual' },
  { field: 'categories', op: 'set', value: [] },
  { field: 'categories', op: 'add_categories', value: [5, { name: 'Sale' }, { path: ['A', 'B'] }] },
  { field: 'media', op: 'set', value: [{ url: 'https://a.example/1.png' }] },
  { field: 'parent', op: 'set', value: { sku: 'P' } },
  { field: 'variant_axes', op: 'set', value: ['size'] },
  { field: 'components', op: 'set', value: [{ sku: 'C', quantity: 2 }] },
  { field: 'attributes.a/b.c~', op: 'set', value: [1, true, 'x'] },
  { field: 'attributes.__proto__', op: 'set', value: 1 },
  { field: 'attributes.color', op: 'set', value: null },
  { field: 'links.related', op: 'set', value: [{ id: 5 }] },
  { field: 'inventory.quantity', op: 'set', value: 5 },
  { field: 'inventory.low_stock_threshold', op: 'clear' },
])('takes $op of $field', (edit) => {
  expect(errorsOf(edit)).toEqual([])
})

test.each([
  ['nam', /^\/edits\/0\/field unknown_field: .*; did you mean "name"\?$/],
  ['title', /did you mean "name"\?$/],
  ['color', /use one of sku, name, .*attributes\.<name>, links\.related, .*inventory\.tracked/],
  ['attributes', /write an attribute as attributes\.<name>$/],
  ['attributes.', /write an attribute as attributes\.<name>$/],
  ['links', /use one of links\.related, links\.upsell, links\.cross_sell$/],
  ['inventory.quantty', /did you mean "inventory\.quantity"\?$/],
  ['inventory.updated_at', /use one of inventory\.tracked/],
  ['id', /unknown_field/],
  ['constructor', /unknown_field/],
])('rejects the field %s, and suggests a valid one', (field, message) => {
  expect(errorsOf({ field, op: 'set', value: 1 })).toEqual([expect.stringMatching(message)])
})

test.each([
  ['sku', 'set', 'append, prepend, replace'],
  ['sku', 'clear', 'append, prepend, replace'],
  ['name', 'clear', 'set, append, prepend, replace'],
  ['status', 'append', 'set, clear'],
  ['price', 'append', 'set, clear, multiply, add'],
  ['description', 'multiply', 'set, clear, append, prepend, replace'],
  ['categories', 'append', 'set, clear, add_categories, remove_categories'],
  ['attributes.size', 'add_categories', 'set, clear, append, prepend, replace, rename, multiply, add'],
  ['links.related', 'append', 'set, clear'],
  ['inventory.quantity', 'clear', 'set'],
  ['inventory.quantity', 'add', 'set'],
])('for %s rejects %s, and lists the supported operations', (field, op, operations) => {
  expect(errorsOf({ field, op, value: 'x' })).toEqual([
    `/edits/0/op invalid_choice: ${field} supports ${operations}, not ${op}`,
  ])
})

test.each([
  [{ field: 'name', op: 'set' }, '/value required: is required'],
  [{ field: 'name', op: 'set', value: ' ' }, '/value too_short: must not be empty'],
  [{ field: 'name', op: 'append', value: 5 }, '/value invalid_type: must be string'],
  [{ field: 'name', op: 'append', value: '' }, '/value too_short: must not be empty'],
  [
    { field: 'name', op: 'append', value: ' a\nb' },
    '/value invalid_format: must be one line of text, without control characters',
  ],
  [
    { field: 'name', op: 'append', value: 'x'.repeat(255) },
    '/value too_long: must NOT have more than 255 characters',
  ],
  [
    { field: 'name', op: 'replace', value: { find: '', with: 'a' } },
    '/value/find too_short: must not be empty',
  ],
  [{ field: 'name', op: 'replace', value: { find: 'a' } }, '/value/with required: is required'],
  [
    { field: 'sku', op: 'replace', value: { find: 'a', with: '.\t.' } },
    '/value/with invalid_format: must be one line of text, without control characters',
  ],
  [{ field: 'price', op: 'set', value: 1.23456 }, '/value too_many_decimals: must have at most 4 decimals'],
  [
    { field: 'price', op: 'multiply', value: '1.1' },
    '/value invalid_type: must be number, without quotes: 1.1',
  ],
  [{ field: 'price', op: 'multiply', value: -1 }, '/value too_small: must be >= 0'],
  [{ field: 'price', op: 'add', value: 1e300 }, '/value too_large: must be <= 1000000000000'],
  [
    { field: 'price', op: 'set', value: 1, decimals: 2 },
    '/decimals not_applicable: applies only to multiply and add',
  ],
  [
    { field: 'price', op: 'set', value: 1, round: { step: 1 } },
    '/round not_applicable: applies only to multiply and add',
  ],
  [
    { field: 'price', op: 'add', value: 1, round: { step: 1 }, decimals: 2 },
    '/decimals not_applicable: is not allowed with round',
  ],
  [
    { field: 'price', op: 'add', value: 1, round: { step: 1, ending: 0.95 } },
    '/round invalid_value: must have either step or ending',
  ],
  [
    { field: 'price', op: 'add', value: 1, round: { ending: 0.99999 } },
    '/round/ending too_many_decimals: must have at most 4 decimals',
  ],
  [
    { field: 'price', op: 'add', value: 1, from: 'price' },
    '/from not_applicable: applies only to attributes',
  ],
  [
    { field: 'attributes.a', op: 'set', value: 1, from: 'price' },
    '/from not_applicable: applies only to multiply and add',
  ],
  [{ field: 'price', op: 'clear', value: 1 }, '/value not_applicable: is not allowed with clear'],
  [
    { field: 'status', op: 'set', value: 'on' },
    '/value invalid_choice: must be one of active, inactive, pending, archived',
  ],
  [{ field: 'categories', op: 'add_categories', value: [] }, '/value too_few: must have at least 1 item'],
  [
    { field: 'categories', op: 'remove_categories', value: ['Sale'] },
    '/value/0 invalid_format: must be a category ID, {"id": …}, {"name": …} or {"path": [1 to 10 names from the root]}',
  ],
  [
    { field: 'media', op: 'set', value: [{ url: 'http://a.example' }] },
    '/value/0/url invalid_format: must be an https URL without a user name and password',
  ],
  [
    { field: 'attributes.a/b', op: 'set', value: [{}] },
    '/value/0 invalid_type: must be string or number or boolean',
  ],
  [{ field: 'inventory.quantity', op: 'set', value: 1.5 }, '/value invalid_type: must be integer'],
])('rejects %j and points to the error', (edit, pointer) => {
  expect(errorsOf(edit)).toEqual([`/edits/0${pointer}`])
})

test('all errors of all edits are returned together, and the edits are not modified', () => {
  const edits: Edit[] = [
    { field: 'media', op: 'set', value: [{ url: 'https://a.example/1.png' }] },
    { field: 'colour', op: 'set', value: 1 },
    { field: 'price', op: 'set', value: -1, decimals: 2 },
  ]
  const before = structuredClone(edits)
  expect(checkEdits(edits).map(({ pointer }) => pointer)).toEqual([
    '/edits/1/field',
    '/edits/2/value',
    '/edits/2/decimals',
  ])
  expect(edits).toEqual(before)
})

test('a request has 1 to 50 edits, each with a field, an operation, a value and decimals', () => {
  const check = compileBody(EditsSchema)
  const edit = { field: 'name', op: 'set', value: 'x' }
  expect(check(Array(50).fill(edit))).toHaveProperty('value')
  const rejected = [
    [],
    Array(51).fill(edit),
    [{ ...edit, op: 'sets' }],
    [{ ...edit, was: 1 }],
    [{ op: 'set' }],
  ]
  for (const edits of rejected) expect(check(edits)).toHaveProperty('error')
  expect(check([{ ...edit, decimals: 5 }])).toHaveProperty('error')
})
