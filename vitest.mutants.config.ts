import { defineConfig } from 'vitest/config'

/** Tests without a database alone: each mutant is a run of its own, and a service would be started for each. */
export default defineConfig({
  test: {
    isolate: false,
    include: [
      'src/platform/http/body/json-scan.test.ts',
      'src/platform/http/response/page-envelope.test.ts',
      'src/model/product/product-content.test.ts',
      'src/catalog/proposals/edits/exact-decimals.test.ts',
      'src/catalog/proposals/merge-line.test.ts',
      'src/access/tokens/token-format.test.ts',
      'src/access/tokens/access-checks.test.ts',
    ],
  },
})
