import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { FieldSources } from '../../console/sheet/fields/sheet-field.ts'
import { editableField, readOnlyField } from '../../console/sheet/fields/sheet-field.ts'
import { clearBlock, copyBlock, fillDown, pasteBlock } from '../../console/sheet/model/blocks.ts'
import {
  type Editing,
  keyOf,
  mostEdits,
  nothingEdited,
  redo,
  settle,
  undo,
  type Write,
  writeCells,
} from '../../console/sheet/model/edits.ts'
import { areaOf, type Layout, movedBy } from '../../console/sheet/model/layout.ts'
import { linesOf, planSave, proposalTitle } from '../../console/sheet/model/save-plan.ts'
import { readStored, writeStored } from '../../console/sheet/model/stored-edits.ts'
import { readTsv, writeTsv } from '../../console/sheet/model/tsv.ts'
import type { AttributeDefinition, ProductDetail } from '../../console/wire.ts'

const define = (name: string, some: Partial<AttributeDefinition>) =>
  [
    name,
    {
      name,
      label: null,
      unit: null,
      allowed: null,
      mode: 'enforce',
      multiple: false,
      min: null,
      max: null,
      ...some,
    } as AttributeDefinition,
  ] as const

const definitions = new Map([
  define('color', { type: 'choice', allowed: ['oat', 'Sand'] }),
  define('tone', { type: 'choice', allowed: ['light'], mode: 'warn' }),
  define('weight', { type: 'number', unit: 'kg' }),
  define('safe', { type: 'boolean' }),
  define('since', { type: 'date' }),
  define('tags', { type: 'text', multiple: true }),
  define('note', { type: 'text' }),
])

const product = (id: number, some: Partial<ProductDetail> = {}) =>
  ({
    id,
    sku: `P-${id}`,
    name: `Product ${id}`,
    short_description: '',
    price: id,
    currency: 'EUR',
    status: 'active',
    version: 1,
    parent: null,
    attributes: {},
    inventory: { tracked: true, quantity: 5 },
    ...some,
  }) as unknown as ProductDetail

const sources: FieldSources = {
  definitions,
  choices: {
    status: [
      { value: 'active', label: 'Active' },
      { value: 'archived', label: 'Archived' },
    ],
    product_type: [],
  },
  currency: 'EUR',
  products: [product(1, { attributes: { loose: 'text', code: 7 } })],
}

const fieldAt = (path: string) => {
  const field = editableField(path, sources)
  if (field === undefined) throw new Error(`${path} is not editable`)
  return field
}

const paths = [
  'sku',
  'name',
  'price',
  'status',
  'inventory.quantity',
  'short_description',
  'attributes.color',
]
const score = readOnlyField('quality_score', 'Score', 'computed', () => '90')
const fields = [...paths.map(fieldAt), score]
const products = Array.from({ length: 30 }, (_, index) => product(index + 1))
const page: Layout = {
  rows: products.length,
  columns: fields.length,
  at: (row, column) => ({
    product: products[row] as ProductDetail,
    field: fields[column] as (typeof fields)[number],
  }),
}

const wrote = (writes: Write[], before: Editing = nothingEdited) => writeCells(before, writes) as Editing
const write = (row: number, path: string, text: string): Write => ({
  product: products[row] as ProductDetail,
  field: fieldAt(path),
  text,
})

describe('a cell reads', () => {
  test.each([
    ['price', '12,5', 12.5],
    ['price', '€1,234.50', 1234.5],
    ['price', '12,50 EUR', 12.5],
    ['price', '', null],
    ['status', 'ARCHIVED', 'archived'],
    ['name', ' Lamp\nwith shade ', 'Lamp with shade'],
    ['short_description', 'One\r\ntwo\r\n', 'One\ntwo'],
    ['inventory.quantity', '1 200', 1200],
    ['attributes.color', 'OAT', 'oat'],
    ['attributes.color', '', null],
    ['attributes.tone', 'dark', 'dark'],
    ['attributes.weight', '1,5', 1.5],
    ['attributes.safe', 'yes', true],
    ['attributes.safe', 'No', false],
    ['attributes.since', '2026-01-31', '2026-01-31'],
    ['attributes.since', '2026/1/31', '2026-01-31'],
    ['attributes.tags', 'a|b\\|c', ['a', 'b|c']],
    ['attributes.tags', '["a","b"]', ['a', 'b']],
    ['attributes.note', "'=1+1", '=1+1'],
    ['attributes.code', '12,5', 12.5],
    ['attributes.loose', '12', '12'],
    ['attributes.unknown', '12', 12],
  ])('%s %j as %j', (path, text, value) => {
    expect(fieldAt(path).codec.read(text, undefined)).toEqual({ value })
  })

  test.each([
    ['name', ' ', /required/],
    ['sku', 'x'.repeat(65), /at most 64 characters/],
    ['price', '-1', /from 0 to/],
    ['price', '1.23456', /4 decimal/],
    ['price', '1.234', /1234/],
    ['price', 'twelve', /number/],
    ['status', 'gone', /Active, Archived/],
    ['inventory.quantity', '1.5', /whole/],
    ['inventory.quantity', '', /required/],
    ['attributes.color', 'pink', /oat, Sand/],
    ['attributes.safe', 'perhaps', /Yes or No/],
    ['attributes.since', '2026-02-30', /date/],
  ])('%s %j as an error', (path, text, error) => {
    expect(fieldAt(path).codec.read(text, undefined)).toEqual({ error: expect.stringMatching(error) })
  })

  const values = {
    name: fc.string({ minLength: 1, maxLength: 20 }).map((text) => text.trim() || 'x'),
    price: fc.integer({ min: 0, max: 99_999_999 }).map((number) => number / 10_000),
    'attributes.note': fc
      .string({ minLength: 1 })
      .filter((text) => text.trim() !== '' && !/\r|\n$/.test(text)),
    'attributes.tags': fc.uniqueArray(
      fc
        .string({ minLength: 1 })
        .map((text) => text.trim())
        .filter((text) => text !== '' && !/[\r\n]/.test(text)),
      { minLength: 1 },
    ),
    'attributes.unknown': fc.oneof(
      fc.boolean(),
      fc.integer(),
      fc.string().filter((text) => text.trim() !== '' && !/\r/.test(text)),
    ),
  }
  test.each(Object.entries(values))('the copied text of %s as the same value', (path, value) => {
    const { codec } = fieldAt(path)
    fc.assert(
      fc.property(value as fc.Arbitrary<unknown>, (one) => {
        expect(codec.read(codec.text(one), one)).toEqual({ value: one })
      }),
    )
  })
})

describe('tab-separated text', () => {
  test('with more rows than a call can have arguments, or with a cell of millions of characters, is read', () => {
    const rows = readTsv('x\n'.repeat(300_000))
    expect(rows).toHaveLength(300_000)
    const { outside } = pasteBlock(page, areaOf({ row: 0, column: 0 }, { row: 0, column: 0 }), rows)
    expect(outside).toBe(300_000 - page.rows)
    for (const text of ['a'.repeat(9_000_000), '""'.repeat(4_000_000)])
      expect(readTsv(`"${text}"`)[0]?.[0]).toHaveLength(text.replaceAll('""', '"').length)
  })

  test('keeps quotes that do not close at the end of a cell', () => {
    expect(readTsv('"Large" size\t"open\t"a""b"\r\n""\t"')).toEqual([
      ['"Large" size', '"open', 'a"b'],
      ['', '"'],
    ])
  })

  test('of any block reads back unchanged', () => {
    const cell = fc.string({ unit: fc.constantFrom('a', '"', '\t', '\n', '\r', ' ', '=') })
    const block = fc
      .integer({ min: 1, max: 4 })
      .chain((width) =>
        fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 5 }),
      )
    fc.assert(
      fc.property(block, (given) => {
        const rows =
          given.at(-1)?.every((one) => one === '') && given[0]?.length === 1 ? [...given, ['end']] : given
        expect(readTsv(writeTsv(rows))).toEqual(rows)
      }),
    )
  })

  test.each([
    [
      'a\tb\r\nc\td\r\n',
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
    ['"two\nlines"\t"5"" pipe"\n', [['two\nlines', '5" pipe']]],
    ['"Large" size\t5" pipe', [['"Large" size', '5" pipe']]],
    [
      'a\t\r\n\t',
      [
        ['a', ''],
        ['', ''],
      ],
    ],
    ['', [['']]],
  ])('%j of a spreadsheet is read', (text, rows) => {
    expect(readTsv(text)).toEqual(rows)
  })
})

describe('the unsaved edits', () => {
  const anyWrite = fc.record({
    row: fc.nat({ max: 4 }),
    path: fc.constantFrom('name', 'price', 'attributes.color', 'inventory.quantity'),
    text: fc.constantFrom('', '1', '2', 'oat', 'pink', 'Product 1', '12,5'),
  })

  test('undo and redo are inverse, and undo of everything leaves nothing', () => {
    fc.assert(
      fc.property(
        fc.array(fc.array(anyWrite, { minLength: 1, maxLength: 4 }), { maxLength: 12 }),
        (steps) => {
          const states = [nothingEdited]
          for (const step of steps)
            states.push(
              wrote(
                step.map(({ row, path, text }) => write(row, path, text)),
                states.at(-1),
              ),
            )
          let now = states.at(-1) as Editing
          const last = now.edits
          let depth = 0
          for (; now.past.length > 0; depth += 1) {
            const before = undo(now)
            expect(redo(before).edits).toEqual(now.edits)
            now = before
          }
          expect(now.edits.size).toBe(0)
          for (; depth > 0; depth -= 1) now = redo(now)
          expect(now.edits).toEqual(last)
          expect(redo(now)).toEqual(now)
        },
      ),
    )
  })

  test('a value that returns to what it was is no edit', () => {
    const once = wrote([write(0, 'price', '9')])
    expect(once.edits.size).toBe(1)
    expect(wrote([write(0, 'price', '1,00')], once).edits.size).toBe(0)
  })

  test('what a save settled cannot be undone, everything else can', () => {
    const both = wrote([write(0, 'price', '9'), write(1, 'price', 'wrong')])
    const settled = settle(both, new Map([[keyOf(1, 'price'), undefined]]))
    expect([...settled.edits.values()]).toEqual([
      expect.objectContaining({ id: 2, error: expect.any(String) }),
    ])
    expect(undo(settled).edits.size).toBe(0)
    expect(undo(undo(settled)).past).toEqual([])
  })

  test('survive in storage; texts of fields that no longer exist, and other content, are ignored', () => {
    const { edits } = wrote([
      write(0, 'price', '9'),
      write(0, 'name', ''),
      write(1, 'attributes.color', 'oat'),
    ])
    const stored = writeStored(edits)
    expect(readStored(stored, fieldAt)).toEqual(edits)
    expect(readStored(stored, () => undefined).size).toBe(0)
    for (const text of [null, '{', '{}', '[null,1,{"id":"1"}]'])
      expect(readStored(text, fieldAt).size).toBe(0)
    const long = new Map([['1', { ...[...edits.values()][0], text: 'x'.repeat(3_000_000) }]])
    expect(writeStored(long as typeof edits)).toBeNull()
  })

  test('are limited in number', () => {
    const many = Array.from({ length: mostEdits + 1 }, (_, index) => ({
      ...write(0, 'price', '9'),
      product: product(index + 100),
    }))
    expect(writeCells(nothingEdited, many)).toBeUndefined()
    expect(wrote(many.slice(1)).edits.size).toBe(mostEdits)
  })
})

describe('a block', () => {
  const area = (top: number, left: number, bottom = top, right = left) =>
    areaOf({ row: top, column: left }, { row: bottom, column: right })

  test('is pasted at its place, without read-only cells and cells outside of the page', () => {
    const { writes, readOnly, outside } = pasteBlock(page, area(29, 6), [
      ['oat', '1', '2'],
      ['x', 'y', 'z'],
    ])
    expect(writes.map(({ product: { id }, field, text }) => [id, field.field, text])).toEqual([
      [30, 'attributes.color', 'oat'],
    ])
    expect([readOnly, outside]).toEqual([1, 4])
  })

  test('repeats in a selection that is a multiple of it', () => {
    const { writes } = pasteBlock(page, area(0, 1, 3, 1), [['A'], ['B']])
    expect(writes.map(({ text }) => text)).toEqual(['A', 'B', 'A', 'B'])
  })

  test('fills down from its first row, and a single row from the row above', () => {
    const from = (one: typeof page, top: number, bottom: number) =>
      fillDown(one, nothingEdited, area(top, 2, bottom, 3)).writes.map(({ product: { id }, text }) => [
        id,
        text,
      ])
    expect(from(page, 0, 2)).toEqual([
      [2, '1'],
      [2, 'Active'],
      [3, '1'],
      [3, 'Active'],
    ])
    expect(from(page, 4, 4)).toEqual([
      [5, '4'],
      [5, 'Active'],
    ])
    expect(from(page, 0, 0)).toEqual([])
  })

  test('is cleared, and required values become errors', () => {
    const { edits } = wrote(clearBlock(page, area(0, 1, 0, 2)).writes)
    expect([...edits.values()].map(({ field, value, error }) => [field, value, error === undefined])).toEqual(
      [
        ['name', undefined, false],
        ['price', null, true],
      ],
    )
  })

  test('that is copied and pasted elsewhere gives the same values', () => {
    const copied = copyBlock(page, nothingEdited, area(0, 1, 4, 6))
    const { edits } = wrote(pasteBlock(page, area(10, 1), readTsv(writeTsv(copied))).writes)
    expect(edits.get(keyOf(11, 'name'))?.value).toBe('Product 1')
    expect(edits.get(keyOf(15, 'price'))?.value).toBe(5)
    expect([...edits.values()].some(({ error }) => error !== undefined)).toBe(false)
  })
})

describe('a save', () => {
  test('of up to 20 changes patches products, without invalid cells', () => {
    const { edits } = wrote([
      ...Array.from({ length: 20 }, (_, row) => write(row, 'price', '99')),
      write(0, 'name', ''),
    ])
    const { direct, proposed } = planSave(edits)
    expect([direct.length, proposed.length]).toEqual([20, 0])
    expect(direct[0]?.edits.map(({ field }) => field)).toEqual(['price'])
  })

  test('of more changes proposes a line per product; SKUs are saved directly', () => {
    const { edits } = wrote(
      Array.from({ length: 21 }, (_, row) => [
        write(row, 'price', '99'),
        write(row, 'attributes.color', 'oat'),
      ])
        .flat()
        .concat(write(0, 'sku', 'NEW')),
    )
    const { direct, proposed } = planSave(edits)
    expect(direct.map(({ edits: own }) => own.map(({ field, value }) => [field, value]))).toEqual([
      [['sku', 'NEW']],
    ])
    expect(linesOf(proposed).map((line) => JSON.parse(line))[0]).toEqual({
      sku: 'P-1',
      price: 99,
      attributes: { color: 'oat' },
    })
    expect(proposed).toHaveLength(21)
    expect(proposalTitle(proposed)).toBe('Edit price, color of 21 products')
  })
})

test('keys move the active cell and stop at the edges', () => {
  const from = { row: 10, column: 2 }
  const to = (key: string, isJump = false) => movedBy({ key, isJump }, from, page, 12)
  expect([to('ArrowUp'), to('ArrowRight'), to('PageUp'), to('PageDown')]).toEqual([
    { row: 9, column: 2 },
    { row: 10, column: 3 },
    { row: 0, column: 2 },
    { row: 22, column: 2 },
  ])
  expect([to('Home'), to('End'), to('Home', true), to('End', true)]).toEqual([
    { row: 10, column: 0 },
    { row: 10, column: 7 },
    { row: 0, column: 0 },
    { row: 29, column: 7 },
  ])
  expect([to('ArrowDown', true), to('x'), to('constructor')]).toEqual([
    { row: 29, column: 2 },
    undefined,
    undefined,
  ])
})
