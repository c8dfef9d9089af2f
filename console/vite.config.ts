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

/**
 * A page asks for few files: the libraries that all pages are made of, our own parts, and its own code. Any other library stays in the
 * file of the page that needs it, or of the two.
 */
const groups = [
  {
    name: 'vendor',
    test: /node_modules[\\/](react|react-dom|scheduler|clsx|@floating-ui|@mantine|@tanstack)[\\/]|rolldown[\\/]runtime/,
    minShareCount: 2,
  },
  {
    name: 'shared',
    test: /[\\/]console[\\/](parts|shell|tokens|[^\\/]+$|\w+[\\/]queries)/,
    minShareCount: 2,
  },
  { name: 'common', minShareCount: 3 },
]

export default defineConfig({
  root: import.meta.dirname,
  publicDir: false,
  plugins: [react()],
  build: {
    outDir: '../build/console',
    emptyOutDir: true,
    // Nothing is inlined: the Content-Security-Policy allows no data: addresses.
    assetsInlineLimit: 0,
    // One file of styles for all pages: most of it is Mantine's, and each page would add a request.
    cssCodeSplit: false,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 800,
    target: 'es2023',
    rolldownOptions: {
      input: ['index.html', 'reference.html'].map((page) => join(import.meta.dirname, page)),
      output: { codeSplitting: { groups } },
    },
  },
  server: { proxy: Object.fromEntries(served.map((path) => [path, service])) },
})
