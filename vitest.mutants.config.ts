import { defineConfig } from 'vitest/config'

/** Tests without a database alone: each mutant is a run of its own, and a service would be started for each. */
export default defineConfig({
  test: {
    isolate: false,
    include: [
      'src/http/request/json-scan.test.ts',
      'src/http/response/page-envelope.test.ts',
      'src/products/product-content.test.ts',
      'src/proposals/edits/exact-decimals.test.ts',
      'src/proposals/merge-line.test.ts',
      'src/tokens/token-format.test.ts',
      'src/tokens/who-may-pass.test.ts',
    ],
  },
})
