import { join } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

// For `npx vite console`: the service rejects writes whose Host header differs from the origin of the page.
const service = { target: 'http://127.0.0.1:8080', changeOrigin: false }
const served = [
  '/console/',
  // Not /media/, which also contains the sources of console/media. A file has a key, a hash and a name.
  '^/media/[^/]+/[^/]+/',
  // Not the sources of the client.
  '^/client/(\\d|catalog-client|$)',
  '/openapi.json',
  '/docs',
  '/v2/',
  '/api/',
  '/errors/',
  '/healthz',
  '/readyz',
  '/metrics',
]

/** Forms and diffs of products, prompts and proposals. Most first pages need neither. */
const editing =
  /[\\/]console[\\/](product[\\/](?!queries|product-link)|products[\\/](filter-labels|filters)|parts[\\/](numbers|uploads|format[\\/](compare-words|word-diff)))|node_modules[\\/]diff[\\/]/

/** Files that import pages and grids read cells with, and virtual rows. No first page needs them. */
const cells =
  /[\\/](src[\\/]model[\\/](files|assets[\\/]asset-id|attributes[\\/]date-value)|src[\\/]platform[\\/]http[\\/]body[\\/]json-scan|console[\\/](sheet[\\/]|import[\\/]changes))/
const virtual = /node_modules[\\/]@tanstack[\\/](react-virtual|virtual-core)[\\/]/

/** Parts that the API reference does not use. */
const consoleOnly = /[\\/]console[\\/]parts[\\/](charts|dialogs|lists|pictures|toast)/

/**
 * A page loads few files: the libraries of all pages, shared parts, editing parts if it edits, and its own code. Other
 * libraries stay in the files of the pages that use them.
 */
const groups = [
  {
    name: 'vendor',
    test: (id: string) =>
      !virtual.test(id) &&
      /node_modules[\\/](react|react-dom|scheduler|clsx|@floating-ui|@mantine|@tanstack)[\\/]|rolldown[\\/]runtime|vite[\\/]preload-helper/.test(
        id,
      ),
    minShareCount: 2,
  },
  {
    name: 'shared',
    test: (id: string) =>
      !editing.test(id) &&
      !consoleOnly.test(id) &&
      /[\\/]console[\\/](parts|shell|[^\\/]+$|\w+[\\/]queries)/.test(id),
    minShareCount: 2,
  },
  // Without its imports: every page needs some of them, and would load this file.
  { name: 'editing', test: editing, minShareCount: 3, includeDependenciesRecursively: false },
  { name: 'cells', test: cells, minShareCount: 2, includeDependenciesRecursively: false },
  // The sign-in page and the dialog over a page whose session ended.
  {
    name: 'sign-in',
    test: /[\\/]console[\\/]sign-in[\\/](?!sign-in-again|continue|done)|node_modules[\\/]@mantine[\\/]form[\\/]/,
    minShareCount: 2,
    includeDependenciesRecursively: false,
  },
  { name: 'virtual', test: virtual, minShareCount: 2, includeDependenciesRecursively: false },
  // Strings and code samples belong to a screen: only its pages load them.
  {
    name: 'common',
    test: (id: string) => !/[\\/-]strings\.ts$|[\\/]client[\\/]/.test(id),
    minShareCount: 3,
  },
]

export default defineConfig({
  root: import.meta.dirname,
  publicDir: false,
  plugins: [react()],
  build: {
    // The Content-Security-Policy allows no data: URLs.
    assetsInlineLimit: 0,
    // One stylesheet for all pages: most of it is Mantine's, and each page would add a request.
    cssCodeSplit: false,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 800,
    target: 'es2023',
    rolldownOptions: {
      // Slow builds on busy machines are no reason for a warning.
      checks: { bundlerTimings: false },
      input: ['index.html', 'reference.html'].map((page) => join(import.meta.dirname, page)),
      output: { codeSplitting: { groups } },
    },
  },
  server: { proxy: Object.fromEntries(served.map((path) => [path, service])) },
})
