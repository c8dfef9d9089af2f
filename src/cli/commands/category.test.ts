import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, inject, test } from 'vitest'
import { connectionUrl } from '../../../test/database/test-database.ts'
import { commandRunner } from '../../../test/processes/command-runner.ts'
import { temporaryFolder } from '../../../test/setup/temporary-folder.ts'

const { catalog, catalogJson } = commandRunner({ DATABASE_URL: connectionUrl(inject('connection')) })
let project: string
beforeAll(async () => {
  project = String((await catalogJson(['project', 'create', '--name', 'Categories'])).id)
})

const category = (...args: string[]) => ['category', ...args, '--project', project]

test('the tree is imported from a CSV file, shown, moved and merged', async () => {
  const file = join(temporaryFolder(), 'products.csv')
  writeFileSync(
    file,
    'sku,name,category_paths,categories\nA,A,Home/Lamps|Sale,\nB,B,Garden/Lights,Ignored\nC,C,,Sale\n',
  )
  expect((await catalogJson(['import', file, '--project', project])).created).toBe(3)
  const shown = (await catalog(category('tree'))).stdout.replaceAll(/id \d+/g, 'id N')
  expect(shown).toBe(
    [
      'Garden  (id N, products 0)',
      '  Lights  (id N, products 1)',
      'Home  (id N, products 0)',
      '  Lamps  (id N, products 1)',
      'Sale  (id N, products 2)',
      '',
    ].join('\n'),
  )
  const [garden, home] = (await catalogJson(category('tree'))).results
  const parts = [
    ['--depth', '1'],
    ['--parent', String(home.id)],
  ]
  const names = parts.map(async (part) => (await catalogJson(category('tree', ...part))).results)
  expect((await Promise.all(names)).map((nodes) => nodes.map(({ name }: { name: string }) => name))).toEqual([
    ['Garden', 'Home', 'Sale'],
    ['Lamps'],
  ])
  const [lights, lamps] = [garden.children[0].id, home.children[0].id].map(String)
  expect(await catalogJson(category('merge', lights as string, lamps as string))).toEqual({
    into: Number(lamps),
    products: 1,
    children: 0,
  })
  expect(await catalogJson(category('move', lamps as string))).toMatchObject({
    path: ['Lamps'],
    parent: null,
  })
  expect(await catalogJson(category('move', lamps as string, String(garden.id)))).toMatchObject({
    path: ['Garden', 'Lamps'],
  })
  const refused = await catalog(category('move', String(garden.id), lamps as string))
  expect([refused.code, refused.stderr]).toEqual([
    1,
    'catalog: parent is the category itself or a category below it; choose another category\n',
  ])
})
