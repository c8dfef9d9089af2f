import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { build } from 'vite'
import { builtFolder, namesIn, readStamp, sourceFolder, sourceStamp, stampPath } from './build-stamp.ts'

const compressible = new Set(['.html', '.js', '.css', '.svg', '.json'])

// A process of its own, so that the memory of the tools does not stay in the service.
const fresh = `${builtFolder}-${process.pid}`
const stamp = sourceStamp()
try {
  await build({
    configFile: join(sourceFolder, 'vite.config.ts'),
    root: sourceFolder,
    logLevel: 'warn',
    build: { outDir: fresh, emptyOutDir: true },
  })
  compressFiles()
  writeFileSync(stampPath(fresh), stamp)
  replaceBuilt()
} finally {
  rmSync(fresh, { recursive: true, force: true })
}

/** Once, here, and better than there would be time for in an answer. Fonts and pictures are compressed already. */
function compressFiles(): void {
  for (const name of namesIn(fresh).filter((one) => compressible.has(extname(one)))) {
    const bytes = readFileSync(join(fresh, name))
    writeFileSync(join(fresh, `${name}.gz`), gzipSync(bytes, { level: 9 }))
    const quality = { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length }
    writeFileSync(join(fresh, `${name}.br`), brotliCompressSync(bytes, { params: quality }))
  }
}

/** Two builds at once are alike: where the other was quicker, its files stay. */
function replaceBuilt(): void {
  const old = `${fresh}-old`
  if (readStamp() === stamp) return
  try {
    if (existsSync(builtFolder)) renameSync(builtFolder, old)
    renameSync(fresh, builtFolder)
  } catch (error) {
    if (readStamp() !== stamp) throw error
  }
  rmSync(old, { recursive: true, force: true })
}
