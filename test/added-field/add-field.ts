import { registerHooks } from 'node:module'
import { tablePath, withAddedField } from './added-entry.ts'

/* Preloaded into the program: adds one entry to the field table. Nothing else changes. */

const sources = new URL('../../src/cli/main.ts', import.meta.url).href

registerHooks({
  // The built program does not have the entry, so the sources run.
  resolve: (specifier, context, nextResolve) =>
    nextResolve(/\/build\/program\/.*main\.mjs$/.test(specifier) ? sources : specifier, context),
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context)
    return url.endsWith(tablePath) ? { ...loaded, source: withAddedField(String(loaded.source)) } : loaded
  },
})
