import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

// For `npx vite console`: the service must see the host that the browser sees, or it refuses writes as those of a foreign page.
const service = { target: 'http://127.0.0.1:8080', changeOrigin: false }

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
  },
  server: { proxy: { '/console/': service, '/openapi.json': service, '/docs': service } },
})
