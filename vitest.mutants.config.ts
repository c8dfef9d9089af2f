import { defineConfig } from 'vitest/config'

/** Only tests without a database: each mutant is a separate run, which would start a service. */
export default defineConfig({
  test: {
    isolate: false,
    include: [
      'src/platform/http/body/json-scan.test.ts',
      'src/platform/http/response/page-envelope.test.ts',
      'src/model/product/product-content.test.ts',
      'src/model/product/exact-decimals.test.ts',
      'src/catalog/proposals/merge-line.test.ts',
      'src/access/tokens/token-format.test.ts',
      'src/access/tokens/access-checks.test.ts',
    ],
  },
})
