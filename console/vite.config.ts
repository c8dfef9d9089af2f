import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

export default defineConfig({
  root: import.meta.dirname,
  publicDir: false,
  plugins: [react()],
  build: { outDir: '../build/console', emptyOutDir: true, assetsInlineLimit: 0, reportCompressedSize: false },
})
