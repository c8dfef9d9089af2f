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

export default defineConfig({
  root: import.meta.dirname,
  publicDir: false,
  plugins: [react()],
  build: {
    outDir: '../build/console',
    emptyOutDir: true,
    // Nothing is inlined: the Content-Security-Policy allows no data: addresses.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    target: 'es2023',
    rolldownOptions: {
      input: ['index.html', 'reference.html'].map((page) => join(import.meta.dirname, page)),
      // What most pages share comes in one file, so that a page that is opened for the first time asks for few.
      output: { codeSplitting: { groups: [{ name: 'shared', minShareCount: 5 }] } },
    },
  },
  server: { proxy: Object.fromEntries(served.map((path) => [path, service])) },
})
