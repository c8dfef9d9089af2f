import { registerHooks } from 'node:module'
import { tablePath, withAddedField } from './added-entry.ts'

/* Loaded before the program: the field table gets one more entry. Nothing else of the program changes. */

const sources = new URL('../../src/cli/main.ts', import.meta.url).href

registerHooks({
  // The bundle of the program was made without the entry, so the sources run.
  resolve: (specifier, context, nextResolve) =>
    nextResolve(/\/build\/program\/.*main\.mjs$/.test(specifier) ? sources : specifier, context),
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context)
    return url.endsWith(tablePath) ? { ...loaded, source: withAddedField(String(loaded.source)) } : loaded
  },
})
