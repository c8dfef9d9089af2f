import { join } from 'node:path'
import { build, type ResolvedConfig } from 'vite'
import { tablePath, withAddedField } from './added-entry.ts'

/*
 * Builds the console with one more entry in the field table into the folder in the argument. Nothing else of its sources changes; the
 * API reference is left out.
 */

const consoleFolder = join(import.meta.dirname, '../../console')

await build({
  configFile: join(consoleFolder, 'vite.config.ts'),
  root: consoleFolder,
  logLevel: 'error',
  plugins: [
    {
      name: 'added-field',
      enforce: 'pre',
      transform: (code: string, id: string) => (id.endsWith(tablePath) ? withAddedField(code) : undefined),
      configResolved: ({ build: { rolldownOptions } }: ResolvedConfig) => {
        rolldownOptions.input = join(consoleFolder, 'index.html')
      },
    },
  ],
  build: { outDir: String(process.argv[2]), emptyOutDir: true, minify: false },
})
