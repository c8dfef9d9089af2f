import { readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, inject, test } from 'vitest'
import { connectionUrl } from '../../../test/database/test-database.ts'
import { sharedTestService, type Tenant, type TestService } from '../../../test/harness.ts'
import * as processes from '../../../test/processes/catalog-process.ts'
import { commandRunner } from '../../../test/processes/command-runner.ts'
import { temporaryFolder } from '../../../test/setup/temporary-folder.ts'
import { sql } from '../../platform/database/sql.ts'

const url = { DATABASE_URL: connectionUrl(inject('connection')) }
const { catalog, catalogJson } = commandRunner(url)
let service: TestService
beforeAll(async () => {
  service = await sharedTestService()
})

const awkward = [
  '',
  ' ',
  '=1+1',
  "'=1+1",
  "''@x",
  "'quoted'",
  '-5',
  '+49 30 1234',
  '@home',
  '\ttab',
  '\rreturn',
  'line\nbreak\r\nand more',
  'a,b;c\t"d"',
  '"42"',
  '"',
  '42',
  '4006381333931',
  '12345678901234567890123',
  '1e5',
  '007',
  'true',
  'FALSE',
  'null',
  'a|b',
  '\\',
  'a\\|b',
  '＝1',
  '日本語 ñ 👩‍🚀',
  '{}',
  '#x',
  '[]',
  '["a","b"]',
  '[1, 2',
]
const lists = [
  ['red', 'blue'],
  ['=1+1', '@x', "'"],
  [1, 2.5, true],
  ['["a"]', ''],
  ['42', 42],
  ['a,b', 'c|d', 'l\nb'],
]
const numbers = [0, 42, -1, 0.1, 1e21, 1e-7, -123.456, 9007199254740991, 5e-324, 1.7976931348623157e308]
const names = [
  'color',
  'Shoe Size',
  '__proto__',
  'constructor',
  'a.b',
  'attributes',
  '=cmd',
  '"q"',
  'a,b',
  'l\nb',
  'ñ',
]
const pick = <Value>(list: Value[], at: number): Value => list[at % list.length] as Value

const axis = '=size|\\'
const skuOf = (number: number) => `${pick(['A-', '=A', '-', "'", '@|'], number)}${number}`

/** Types take turns: each variant names a parent that follows, each bundle and group variants and a SKU that nobody has. */
function structureOf(number: number): object {
  const links = { related: [{ sku: skuOf(number + 1) }, { sku: 'Nobody\\|' }], cross_sell: [{ sku: '=B*' }] }
  const base = number - (number % 5)
  const components = [
    { sku: skuOf(base), quantity: number + 1 },
    { sku: skuOf(base + 2), choice: 'Lens: 50!', default: true },
    { sku: "'=N|*:!\\", choice: 'Lens: 50!' },
  ]
  const ofType = [
    { parent: { sku: skuOf(number + 1) } },
    { variant_axes: [axis] },
    { parent: { sku: '@nobody' }, links },
    { components },
    { components, links },
  ]
  return number % 2 === 0 || number % 5 === 1 ? pick(ofType, number) : {}
}

/** As JSON text: an object literal would lose __proto__. */
function productLine(number: number): string {
  const attributes = Array.from({ length: number % 8 }, (_, index) => {
    const at = number * 7 + index
    const values = [pick(awkward, at), pick(numbers, at), at % 2 === 0, pick(lists, at + index)]
    const value = pick(values, Math.floor(number / 3) + index)
    return `${JSON.stringify(pick(names, number + index))}:${JSON.stringify(value)}`
  })
  const rare = number % 400 === 0 ? [`"rare ${number}":${number}`] : []
  const label = pick(awkward, number).replaceAll(/\s+/g, ' ').trim()
  const categories = [`C ${number % 40}`, label].filter((name) => name !== '').slice(0, number % 3)
  const stock = [
    undefined,
    { tracked: true, quantity: number, reserved: 2, low_stock_threshold: 5 },
    { tracked: true, quantity: -3, backorders: true },
  ]
  const media = [
    undefined,
    [{ url: 'https://images.example/a|b\\c.jpg' }, { url: 'https://images.example/2.jpg' }],
    [{ url: 'https://files.example/1.pdf', kind: 'document', alt: pick(awkward, number), title: '' }],
  ]
  const rest = {
    sku: skuOf(number),
    name: `${label} product ${number}`,
    description: pick(awkward, number + 3),
    short_description: pick(awkward, number + 5),
    price: pick([null, 0, 0.1, 19.99, 99_999_999.9999, 0.0001, 1234.5], number),
    status: pick(['active', 'inactive', 'pending', 'archived'], number),
    product_type: pick(['simple', 'configurable', 'virtual', 'bundle', 'grouped'], number),
    categories: categories.map((name) => ({ name })),
    inventory: pick(stock, number),
    media: pick(media, number),
    ...structureOf(number),
  }
  const own = number % 5 === 0 ? [`${JSON.stringify(axis)}:${number}`] : []
  return `${JSON.stringify(rest).slice(0, -1)},"attributes":{${[...attributes, ...rare, ...own].join()}}}`
}

/** Products of one that the other has not, in everything that can be written. */
async function missing(from: Tenant, to: Tenant): Promise<number> {
  const content = (project: number) => sql`
    select sku, name, search_text, description, short_description, price, status, product_type, attributes, media, tracked, quantity,
           parent ->> 'sku', parent ->> 'id' is null, variant_axes,
           array(select part - 'id' from jsonb_array_elements(components) as part),
           array(select (kind, linked -> 'sku') from jsonb_each(links) as link (kind, list), jsonb_array_elements(list) as linked),
           reserved, low_stock_threshold, backorders, quality_score, quality_failed, array(
             select category.name from product_categories as link
             join categories as category on category.project_id = link.project_id and category.id = link.category_id
             where link.project_id = product.project_id and link.product_id = product.id
             order by array_position(product.category_ids, category.id))
    from products as product where project_id = ${project}`
  const [row] = await service.database.query(sql<{ count: number }>`
    select count(*) from (${content(from.project)} except ${content(to.project)}) as lost`)
  return row?.count ?? -1
}

describe('a catalog that is exported and imported elsewhere', () => {
  test('is the same, in both formats, for 450 products with awkward values', async () => {
    const folder = temporaryFolder()
    const first = await service.tenant()
    const source = join(folder, 'source.ndjson')
    // More than one part of an export, with every awkward value, number and list.
    const products = 450
    const lines = Array.from({ length: products }, (_, index) => productLine(index))
    writeFileSync(source, `\ufeff${lines.join('\n')}\n`)
    const made = await catalogJson(['import', source, '--project', String(first.project)])
    expect(made).toEqual({
      lines: products,
      created: products,
      updated: 0,
      unchanged: 0,
      rejected: 0,
      repeated_skus: 0,
      connected: 0,
      rejected_file: null,
    })

    for (const format of ['ndjson', 'csv']) {
      const other = await service.tenant()
      const file = join(folder, `products.${format}`)
      const exported = await catalogJson([
        'export',
        '--project',
        String(first.project),
        '--format',
        format,
        '--output',
        file,
      ])
      expect(exported).toEqual({ products, file })
      const imported = await catalogJson(['import', file, '--project', String(other.project)])
      expect(imported).toMatchObject({ lines: products, created: products, rejected: 0 })
      expect([await missing(first, other), await missing(other, first)]).toEqual([0, 0])
      const { text } = await first.call(`/v2/products/export?format=${format}`)
      expect(text === readFileSync(file, 'utf8')).toBe(true)
      if (format === 'ndjson') continue
      expect(text.split('\n').some((row) => /(^|,)"?[=@＝＋－＠\t\r]/.test(row))).toBe(false)
      const again = await catalogJson(['import', file, '--project', String(other.project), '--dry-run'])
      expect(again).toMatchObject({ unchanged: products })
    }
  })
})

describe('catalog import', () => {
  test('reports what was written when it is interrupted', async () => {
    const shop = await service.tenant()
    const child = processes.spawnCatalog(
      [
        'import',
        '-',
        '--format',
        'ndjson',
        '--project',
        String(shop.project),
        '--rejected',
        '/dev/null',
        '--json',
      ],
      url,
      'pipe',
    )
    const ended = new Promise((resolve) => child.once('exit', resolve))
    const output = Promise.all([child.stdout.toArray(), child.stderr.toArray()])
    // Lines that are still on their way when the process ends have no reader.
    child.stdin?.on('error', () => {})
    // The file is written 8 MiB at a time, and the rest of these lines never makes another 8.
    const line = (sku: string) => `{"sku":"${sku}","name":"x"${' '.repeat(90_000)}}\n`
    const written = Math.ceil((8 * 1024 * 1024) / (line('I-100').length - 1))
    for (let index = 100; index < 200; index += 1) child.stdin?.write(line(`I-${index}`))
    const count = async () => (await shop.call('/v2/products?page_size=1')).body.count
    await expect.poll(count, { timeout: 50_000 }).toBe(written)
    child.kill('SIGINT')
    expect(await ended).toBe(1)
    const [stdout, stderr] = (await output).map((chunks) => Buffer.concat(chunks).toString())
    expect(JSON.parse(stdout ?? '')).toMatchObject({
      lines: written,
      created: written,
      rejected_file: null,
    })
    expect(stderr).toContain('catalog: stopped by SIGINT')
  })

  test('saves rejected CSV rows with their errors, to be corrected and imported again', async () => {
    const folder = temporaryFolder()
    const shop = await service.tenant()
    const file = join(folder, 'shelf.csv')
    writeFileSync(
      file,
      'sku,name,price,categories,attributes.size,attributes.new\nC-1,One,1.5,Top|Left,42,TRUE\nC-2,Two,12.34567,,XL,\n,Three,,,,\nC-4,"Four, ""4""",abc,,,\n',
    )
    const run = await catalog(['import', file, '--project', String(shop.project), '--json'])
    expect(run.code).toBe(1)
    const summary = JSON.parse(run.stdout)
    expect(summary).toMatchObject({
      lines: 4,
      created: 1,
      rejected: 3,
      rejected_file: `${file}.rejected.csv`,
    })
    const rejected = readFileSync(summary.rejected_file, 'utf8')
    expect(rejected).toContain('/price must have at most 4 decimals (too_many_decimals)')
    expect(rejected).toContain('/price must be number or null (invalid_type)')
    const corrected = rejected
      .replace('12.34567', '12.3456')
      .replace(',Three', 'C-3,Three')
      .replace('abc', 'null')
    writeFileSync(summary.rejected_file, corrected)
    const second = await catalogJson(['import', summary.rejected_file, '--project', String(shop.project)])
    expect(second).toMatchObject({ lines: 3, created: 3, rejected: 0 })
    const { body } = await shop.call('/v2/products?expand=detail&ordering=sku')
    expect(body.results).toMatchObject([
      {
        sku: 'C-1',
        price: 1.5,
        attributes: { size: 42, new: true },
        categories: [{ name: 'Top' }, { name: 'Left' }],
      },
      { sku: 'C-2', price: 12.3456, attributes: { size: 'XL' } },
      { sku: 'C-3', price: null },
      { sku: 'C-4', name: 'Four, "4"' },
    ])
    const history = await shop.call(`/v2/products/${body.results[0].id}/history`)
    expect(history.body.results[0]).toMatchObject({ source: 'cli', actor: 'catalog import' })
  })

  test('reads several values from a JSON array in a cell, and text from any other cell', async () => {
    const shop = await service.tenant()
    const file = join(temporaryFolder(), 'values.csv')
    const cells = ['"[""red"", 2, true]"', '[red', '[[1]]', '"""[1]"""', '"[1, null]"']
    const rows = cells.map((cell, index) => `V-${index},V,${cell}\n`)
    writeFileSync(file, `sku,name,attributes.color\n${rows.join('')}V-X,V,[]\n`)
    const run = await catalog(['import', file, '--project', String(shop.project), '--json'])
    expect(JSON.parse(run.stdout)).toMatchObject({ created: 5, rejected: 1 })
    const rejected = readFileSync(`${file}.rejected.csv`, 'utf8')
    expect(rejected).toContain('/attributes/color must have at least 1 item')
    const { body } = await shop.call('/v2/products?expand=detail')
    const read = body.results.map((product: { attributes: { color: unknown } }) => product.attributes.color)
    expect(read).toEqual([['red', 2, true], '[red', '[[1]]', '[1]', '[1, null]'])
  })

  test('saves rejected NDJSON lines below comments with their errors', async () => {
    const folder = temporaryFolder()
    const shop = await service.tenant()
    const file = join(folder, 'lines.jsonl')
    writeFileSync(file, '{"sku":"J-1","name":"One"}\n{"sku":"J-2"}\nnonsense\n')
    const run = await catalog(['import', file, '--project', String(shop.project), '--json'])
    const { rejected_file: kept } = JSON.parse(run.stdout)
    expect(readFileSync(kept, 'utf8')).toMatch(
      /^# line 2: \/name is required \(required\)\n\{"sku":"J-2"\}\n# line 3: .*\(malformed_json\)\nnonsense\n$/,
    )
    writeFileSync(
      kept,
      readFileSync(kept, 'utf8').replace('"J-2"', '"J-2","name":"Two"').replace('\nnonsense', ''),
    )
    expect(await catalogJson(['import', kept, '--project', String(shop.project)])).toMatchObject({
      created: 1,
    })
  })

  test('saves rejected lines in the order of the file', async () => {
    const folder = temporaryFolder()
    const shop = await service.tenant()
    const file = join(folder, 'lines.ndjson')
    const lines = [{ sku: 'V-1', parent: { sku: 'P-1' } }, { sku: 'P-1' }, { sku: 'P-2', name: 'Two' }]
    writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
    const run = await catalog(['import', file, '--project', String(shop.project), '--json'])
    const { created, rejected_file: kept } = JSON.parse(run.stdout)
    expect(created).toBe(1)
    const parts = readFileSync(kept, 'utf8')
      .trim()
      .split('\n')
      .map((line) => line.split(': ')[0])
    expect(parts).toEqual(['# line 1', JSON.stringify(lines[0]), '# line 2', JSON.stringify(lines[1])])
  })

  test('saves rejected lines unchanged, so that uncorrected lines are rejected again', async () => {
    const folder = temporaryFolder()
    const shop = await service.tenant()
    const run = async (name: string, content: string | Buffer) => {
      const file = join(folder, name)
      writeFileSync(file, content)
      const { stdout } = await catalog(['import', file, '--project', String(shop.project), '--json'])
      const { rejected, rejected_file: kept } = JSON.parse(stdout)
      return { rejected, kept, text: kept === null ? '' : readFileSync(kept, 'latin1') }
    }
    const cells = await run('cells.csv', 'sku,name,price\nr1\nr2,A, b,5\nr3,5" pipe,1\n')
    expect(cells.text.split('\n').slice(0, 3)).toEqual([
      'sku,name,price,errors',
      'r1,,,/name is required (required)',
      expect.stringMatching(/^r2,A, b,"has 4 cells, but the header has only 3;.*",5$/),
    ])
    const lines = await run(
      'lines.ndjson',
      Buffer.from(' #c\n{"sku":"u","name":"\xff"}\n{"sku":"v"}', 'latin1'),
    )
    expect(lines.text).toContain('\n{"sku":"u","name":"\xff"}\n')
    const array = await run('array.json', '[\n  {\n    "sku": "w"\n  }\n]')
    expect(array.text).toMatch(/^# line 1: .*\n\{ {5}"sku": "w" {3}\}\n$/)
    const long = await run('long.ndjson', `\n{"sku":"x","name":"${'x'.repeat(1024 * 1024)}"}\n{"sku":"y"}`)
    expect(long.text).toMatch(
      /^# line 2: .*limit of 1 MiB.*\(body_too_large\) The line is not included here.*\n# line 3: /,
    )
    for (const [before, name] of [
      [cells, 'c.csv'],
      [lines, 'l.ndjson'],
      [array, 'a.ndjson'],
    ] as const)
      expect((await run(name, Buffer.from(before.text, 'latin1'))).rejected).toBe(before.rejected)
    expect((await shop.call('/v2/products')).body.results).toMatchObject([{ sku: 'r3', name: '5" pipe' }])
  })

  test('reads standard input, supports dry runs, and reports what was written before an invalid part of a file', async () => {
    const folder = temporaryFolder()
    const shop = await service.tenant()
    const project = ['--project', String(shop.project), '--json']
    const piped = ['import', '-', ...project, '--format', 'csv']
    const dry = await processes.catalog([...piped, '--dry-run'], url, 'sku,attributes\nS-1,5\n')
    expect([dry.code, dry.stderr]).toEqual([
      1,
      expect.stringMatching(/^line 2: .*\/attributes must be object/),
    ])
    expect((await catalog(piped)).stderr).toContain('--rejected FILE')
    const rejected = join(folder, 'rejected.csv')
    // An import writes 8 MiB at a time, or 10,000 lines: it is full with the last of these.
    const written = 94
    // As JSON, in which a line is counted, it is 6 times as long.
    const long = '\u0001'.repeat(15_000)
    const lines = Array.from({ length: written }, (_, index) => `S-${index},S,${long}\n`)
    const text = `sku,name,description\n${lines.join('')}S-X,"open`
    const broken = await processes.catalog([...piped, '--rejected', rejected], url, text)
    expect([broken.code, JSON.parse(broken.stdout).created]).toEqual([1, written])
    expect(broken.stderr).toContain('a quote may be open there')
    const fixed = join(folder, 'fixed.csv')
    writeFileSync(fixed, `${text}",\n`)
    const again = await catalogJson(['import', fixed, '--project', String(shop.project)])
    expect(again).toMatchObject({ lines: written + 1, unchanged: written, created: 1 })
    expect((await shop.call('/v2/products?sku=S-X')).body.results).toMatchObject([{ name: 'open' }])
    const file = join(folder, 'same.csv')
    writeFileSync(file, 'sku\nS\n')
    symlinkSync(file, join(folder, 'other.csv'))
    const same = await catalog(['import', file, ...project, '--rejected', join(folder, 'other.csv')])
    expect([same.code, same.stderr]).toEqual([1, expect.stringContaining('is the imported file')])
    expect(readFileSync(file, 'utf8')).toBe('sku\nS\n')
  })

  test.each([
    [
      'mixed.csv',
      Buffer.from(`sku,name\nA,${'x'.repeat(2 ** 20)}\nB,Caf\xe9\n`, 'latin1'),
      '--encoding windows-1252',
    ],
    ['zeros.csv', 'sku,name\nA,\0\n', 'the file is not text'],
    ['empty.json', '', 'It is empty.'],
    ['nothing.csv', undefined, 'no such file'],
    ['odd.csv', 'sku,nmae\nA,B\n', 'unknown column "nmae"; the known columns are'],
    ['odd.csv', 'sku,nmae,prize\nA,B,C\n', 'unknown columns "nmae", "prize"; the known columns are'],
    ['twice.csv', 'sku,sku\nA,B\n', 'appears twice'],
    ['bare.csv', 'name\nA\n', 'column sku'],
    ['products.txt', 'x', '--format'],
    ['broken.json', '[{"sku":"A","name":"B"}', 'is not closed'],
  ])('reports what is wrong with %s', async (name, text, message) => {
    const shop = await service.tenant()
    const file = join(temporaryFolder(), name)
    if (text !== undefined) writeFileSync(file, text)
    const { code, stderr } = await catalog(['import', file, '--project', String(shop.project)])
    expect([code, stderr]).toEqual([1, expect.stringContaining(message)])
  })
})

describe('GET /products/export', () => {
  test('accepts the filters of the list and rejects others', async () => {
    const shop = await service.tenant()
    const lines = [
      { sku: 'E-1', name: 'One', status: 'active', attributes: { color: 'red' } },
      { sku: 'E-2', name: 'Two', status: 'active' },
      { sku: 'E-3', name: 'Three' },
    ]
    await shop.call('/v2/products/bulk', { method: 'POST', body: lines })
    const skus = async (query: string) =>
      (await shop.call(`/v2/products/export${query}`)).text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).sku)
    expect(await skus('')).toEqual(['E-1', 'E-2', 'E-3'])
    expect(await skus('?status=active&attributes__color__isnull=true')).toEqual(['E-2'])
    const { text, headers } = await shop.call('/v2/products/export?format=csv&sku=E-1')
    expect(headers.get('content-disposition')).toBe('attachment; filename="products.csv"')
    expect(text.split('\n')[0]).toMatch(/^sku,name,.*,attributes\.color$/)
    expect((await shop.call('/v2/products/export?format=xml')).status).toBe(400)
    expect((await shop.call('/v2/products/export?page=2')).status).toBe(400)
  })

  test('frees its connection when the client hangs up, and two of a project leave room for others, while a third waits for its turn', async () => {
    const shop = await service.tenant()
    const lines = Array.from({ length: 500 }, (_, index) => ({ sku: `H-${index}`, name: 'Long' }))
    await shop.call('/v2/products/bulk', { method: 'POST', body: lines })
    await service.database.query(
      sql`update products set description = repeat('x', 60000) where project_id = ${shop.project}`,
    )
    const open = async () => {
      const [row] = await service.database.query(sql<{ count: number }>`
        select count(*) from pg_stat_activity where state like 'idle in transaction%' and (query like 'fetch%' or query like '%as inventory from products%')`)
      return row?.count ?? 0
    }
    const hangUp = new AbortController()
    for (let reader = 0; reader < 2; reader += 1) {
      const response = await fetch(`${service.url}/v2/products/export`, {
        headers: { authorization: `Bearer ${shop.token}` },
        signal: hangUp.signal,
      })
      await response.body?.getReader().read()
    }
    await expect.poll(open).toBeGreaterThan(0)
    let answered = false
    const third = shop.call('/v2/products/export?sku=H-0').finally(() => {
      answered = true
    })
    expect((await (await service.tenant()).call('/v2/products/export')).status).toBe(200)
    expect(answered).toBe(false)
    hangUp.abort()
    expect((await third).status).toBe(200)
    await expect.poll(open).toBe(0)
  })
})
