import { join } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

// For `npx vite console`: the service must see the host that the browser sees, or it refuses writes as those of a foreign page.
const service = { target: 'http://127.0.0.1:8080', changeOrigin: false }
const served = [
  '/console/',
  '/openapi.json',
  '/docs',
  '/v2/',
  '/api/',
  '/errors/',
  '/healthz',
  '/readyz',
  '/metrics',
]

/** Forms and comparisons of products, prompts and proposals. Most people's first page has neither. */
const editing =
  /[\\/]console[\\/](product[\\/](?!queries|product-link)|products[\\/](words|filters)|parts[\\/](numbers|words[\\/](compare-words|word-diff)))|node_modules[\\/]diff[\\/]/

/**
 * A page asks for few files: the libraries that all pages are made of, our own parts, those for editing where it edits, and its own code.
 * Any other library stays in the file of the page that needs it, or of the two.
 */
const groups = [
  {
    name: 'vendor',
    test: /node_modules[\\/](react|react-dom|scheduler|clsx|@floating-ui|@mantine|@tanstack)[\\/]|rolldown[\\/]runtime/,
    minShareCount: 2,
  },
  {
    name: 'shared',
    test: (id: string) =>
      !editing.test(id) && /[\\/]console[\\/](parts|shell|tokens|[^\\/]+$|\w+[\\/]queries)/.test(id),
    minShareCount: 2,
  },
  // Not with its imports: every page needs some of them, and would load this file for them.
  { name: 'editing', test: editing, minShareCount: 3, includeDependenciesRecursively: false },
  { name: 'common', minShareCount: 3 },
]

export default defineConfig({
  root: import.meta.dirname,
  publicDir: false,
  plugins: [react()],
  build: {
    // Nothing is inlined: the Content-Security-Policy allows no data: addresses.
    assetsInlineLimit: 0,
    // One file of styles for all pages: most of it is Mantine's, and each page would add a request.
    cssCodeSplit: false,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 800,
    target: 'es2023',
    rolldownOptions: {
      // A busy machine is no reason for a warning.
      checks: { bundlerTimings: false },
      input: ['index.html', 'reference.html'].map((page) => join(import.meta.dirname, page)),
      output: { codeSplitting: { groups } },
    },
  },
  server: { proxy: Object.fromEntries(served.map((path) => [path, service])) },
})
