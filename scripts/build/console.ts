import { readFile, writeFile } from 'node:fs/promises'
import { extname, join, relative } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { build } from 'vite'
import { filesOf, root } from '../tree.ts'
import type { InputsPlugin } from './inputs.ts'

const compressible = new Set(['.html', '.js', '.css', '.svg', '.json'])

export async function buildConsole(folder: string, inputs: InputsPlugin): Promise<void> {
  await build({
    configFile: join(root, 'console', 'vite.config.ts'),
    root: join(root, 'console'),
    logLevel: 'warn',
    plugins: [inputs],
    build: { outDir: folder, emptyOutDir: true },
  })
  await compressFiles(folder)
}

/** Compresses more than a response has time for, on all cores. Fonts and pictures are already compressed. */
async function compressFiles(folder: string): Promise<void> {
  const names = filesOf(relative(root, folder)).filter((one) => compressible.has(extname(one)))
  await Promise.all(
    names.map(async (name) => {
      const path = join(root, name)
      const bytes = await readFile(path)
      await writeFile(`${path}.gz`, await promisify(gzip)(bytes, { level: 9 }))
      // Quality 10 saves 6 % over 9 for a second of the build; 11 takes twice as long for another 1 %.
      const params = {
        [constants.BROTLI_PARAM_QUALITY]: 10,
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
      }
      await writeFile(`${path}.br`, await promisify(brotliCompress)(bytes, { params }))
    }),
  )
}
