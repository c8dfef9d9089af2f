import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { rolldown } from 'rolldown'
import { root } from '../tree.ts'
import type { InputsPlugin } from './inputs.ts'
import { tarballOf } from './tarball.ts'

/** Files of the package, and types, which the bundler does not read. */
const unimported = [
  'LICENSE',
  'package.json',
  'client/README.md',
  'client/generated.ts',
  'client/package.json',
  'client/tsconfig.json',
]

/** Writes the client's npm package. */
export async function buildClient(folder: string, inputs: InputsPlugin): Promise<void> {
  mkdirSync(folder, { recursive: true })
  const files = await clientFiles(folder, inputs)
  for (const name of unimported) inputs.add(name)
  const { version } = JSON.parse(files.get('package.json') as string)
  writeFileSync(join(folder, `catalog-client-${version}.tgz`), tarballOf(files))
}

/** The files of the package, by name. The folder is for temporary files. */
export async function clientFiles(folder: string, inputs?: InputsPlugin): Promise<Map<string, string>> {
  const { version, license } = JSON.parse(read('package.json'))
  const manifest = { ...JSON.parse(read('client/package.json')), version, license }
  return new Map([
    ['LICENSE', read('LICENSE')],
    ['README.md', read('client/README.md')],
    ['index.d.ts', declarationsIn(join(folder, 'declarations'))],
    ['index.js', await bundle(inputs)],
    ['package.json', `${JSON.stringify(manifest, null, 2)}\n`],
  ])
}

const read = (name: string) => readFileSync(join(root, name), 'utf8')

async function bundle(inputs?: InputsPlugin): Promise<string> {
  const bundled = await rolldown({
    ...{ cwd: root, input: 'client/index.ts', platform: 'neutral', logLevel: 'silent' },
    plugins: inputs ? [inputs] : [],
  })
  try {
    const { output } = await bundled.generate({ format: 'esm', comments: { legal: true, jsdoc: false } })
    return output[0].code
  } finally {
    await bundled.close()
  }
}

/** All types in one file, which editors and Deno find without a package manager. */
function declarationsIn(folder: string): string {
  const compiler = join(root, 'node_modules/typescript/bin/tsc')
  const options = ['--noEmit', 'false', '--emitDeclarationOnly', '--declaration', '--outDir', folder]
  execFileSync(process.execPath, [compiler, '-p', join(root, 'client'), ...options], { stdio: 'inherit' })
  const names = readdirSync(folder).filter((name) => name.endsWith('.d.ts') && name !== 'index.d.ts')
  const text = names.map((name) => readFileSync(join(folder, name), 'utf8')).join('\n')
  const values = readFileSync(join(folder, 'index.d.ts'), 'utf8')
    .match(/(?<=^export \{).*(?=\})/gm)
    ?.join()
  const isPublic = new Set(values?.match(/\w+/g))
  rmSync(folder, { recursive: true })
  const types = text
    .replaceAll(/^import [\s\S]*? from .*;\n/gm, '')
    .replaceAll(/^export \{\};\n?/gm, '')
    .replaceAll(
      /^(?:\/\*\*.*\*\/\n)?export declare (?:const|function) (\w+)(?:.*;\n|[\s\S]*?^\S.*;\n)/gm,
      (all, name) => (isPublic.has(name) ? all : ''),
    )
  return `${types}\nexport {};\n`
}
