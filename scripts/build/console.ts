import { readFileSync, writeFileSync } from 'node:fs'
import { extname, join, relative } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
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
  compressFiles(folder)
}

/** Compresses more than a response has time for. Fonts and pictures are already compressed. */
function compressFiles(folder: string): void {
  for (const name of filesOf(relative(root, folder)).filter((one) => compressible.has(extname(one)))) {
    const path = join(root, name)
    const bytes = readFileSync(path)
    writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }))
    const quality = { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length }
    writeFileSync(`${path}.br`, brotliCompressSync(bytes, { params: quality }))
  }
}
