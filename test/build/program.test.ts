import { spawnSync } from 'node:child_process'
import {
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { catalog, preloading, program } from '../processes/catalog-process.ts'
import { commandRunner } from '../processes/command-runner.ts'
import { temporaryFolder } from '../setup/temporary-folder.ts'

const root = join(program, '../..')

test('the built program prints the same help as the sources', async () => {
  expect(await catalog(['--help'])).toEqual(await commandRunner().catalog(['--help']))
})

test('nothing in the built program imports node:http, which would load a web client at every start', () => {
  const bundle = join(root, 'build/program/current')
  const parts = readdirSync(bundle).filter((name) => name.endsWith('.mjs'))
  const imports = (name: string) =>
    /^import .* from "node:http"/m.test(readFileSync(join(bundle, name), 'utf8'))
  expect(parts).toContain('main.mjs')
  expect(parts.filter(imports)).toEqual([])
})

test('a stack trace names the line of the source', async () => {
  const { stderr } = await catalog(
    [],
    preloading('process.stdout.on = () => { throw new Error("on purpose") }'),
  )
  const lines = readFileSync(join(root, 'src/cli/main.ts'), 'utf8').split('\n')
  const line = lines.findIndex((text) => text.startsWith('process.stdout.on(')) + 1
  expect(stderr).toContain(`${root}/src/cli/main.ts:${line}:`)
})

test('a build runs until the content of its sources changes; then the sources run', () => {
  const { write, remove, age, run, complaint } = miniature()
  function build() {
    write('build/program/current/main.mjs', 'console.log("build")')
    expect(run('project')).toBe('build')
  }
  expect(run('project')).toBe('sources')
  build()
  write('src/platform/version.ts', '')
  expect([run('project'), run('serve')]).toEqual(['sources', 'sources'])
  expect([complaint('project'), complaint('serve')]).toEqual([
    '',
    expect.stringContaining('the build is older than the sources'),
  ])
  build()
  age('package.json')
  expect(run('project')).toBe('sources')
  build()
  remove('src/platform/version.ts')
  expect(run('project')).toBe('sources')
  for (const name of ['scripts/build/build.ts', 'tsconfig.json']) {
    build()
    write(name, ' ')
    expect(run('project')).toBe('sources')
  }
})

test('a service warns if the console build is older than its sources', () => {
  const { write, run, complaint } = miniature()
  write('build/program/current/main.mjs', 'console.log("build")')
  write('build/console/current/inputs.json', '[]')
  expect([run('serve'), complaint('serve')]).toEqual(['build', ''])
  write('console/main.tsx', ' ')
  expect([run('serve'), complaint('project')]).toEqual(['build', ''])
  expect(complaint('serve')).toContain('the console build is older than its sources')
})

test('without sources, as in an image, the build runs whatever the file times', () => {
  const { write, remove, age, run } = miniature()
  write('build/program/current/main.mjs', 'console.log("build")')
  age('build/program/current/main.mjs')
  for (const name of ['src/cli/main.ts', 'package-lock.json']) remove(name)
  expect([run('project'), run('serve')]).toEqual(['build', 'build'])
})

/** A checkout whose program prints what it runs from. */
function miniature() {
  const folder = temporaryFolder()
  function write(name: string, text: string): void {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  for (const name of [
    'package.json',
    'package-lock.json',
    'node_modules/.package-lock.json',
    'tsconfig.json',
  ])
    write(name, '{}')
  write('src/cli/main.ts', 'console.log("sources")')
  write('scripts/build/build.ts', '')
  write('console/main.tsx', '')
  for (const name of ['bin', 'node_modules/.bin']) mkdirSync(join(folder, name))
  copyFileSync(program, join(folder, 'bin/catalog'))
  symlinkSync(process.execPath, join(folder, 'node_modules/.bin/node'))
  const ran = (command: string) => spawnSync(join(folder, 'bin/catalog'), [command], { encoding: 'utf8' })
  return {
    write,
    remove: (name: string) => rmSync(join(folder, name)),
    age: (name: string) => utimesSync(join(folder, name), 1, 1),
    run: (command: string) => ran(command).stdout.trim(),
    complaint: (command: string) => ran(command).stderr,
  }
}
