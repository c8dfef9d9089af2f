import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'rolldown'

const entries = /\/src\/cli\/(main|worker)\.ts$/
const sourceStacks = fileURLToPath(new URL('source-stacks.ts', import.meta.url))
const started = /\b(new Worker|fork)\(new URL\('\.\/([\w-]+)\.ts', import\.meta\.url\)/g

/**
 * In a bundle, import.meta.url still points to the source file, so that migrations, demo data and packages are found. Only threads
 * and processes start from the bundle. Bundles are three folders below the root.
 */
export function sourcePlaces(root: string): Plugin {
  return {
    name: 'source-places',
    transform: {
      filter: { id: /\.(ts|[cm]?js)$/ },
      handler(code, id) {
        // Source maps of all packages would be four times as large as our own.
        if (id.includes('/node_modules/')) return { code, map: { mappings: '' } }
        const place = `new URL('../../../${relative(root, id)}', import.meta.url).href`
        const placed = code
          .replaceAll(started, `$1(new URL('./$2.mjs', import.meta['url'])`)
          .replaceAll('import.meta.url', place)
        // On the first line, so that all lines keep their numbers.
        const stacks = entries.test(id) ? `import '${sourceStacks}';` : ''
        return { code: stacks + placed, map: null }
      },
    },
  }
}
