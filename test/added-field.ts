import { registerHooks } from 'node:module'

/*
 * Loaded before the program: the table of fields gets one more entry, as if a developer had written it there. Nothing else of the
 * program changes.
 */

const entry = `
  maker: { ...line, label: 'Maker', longest: 80, default: '', description: 'Who makes it' },
`
const endOfTable = '} as const satisfies Record<string, Field>'

const sources = new URL('../src/cli/main.ts', import.meta.url).href

registerHooks({
  // The bundle of the program was made without the entry, so the sources run.
  resolve: (specifier, context, nextResolve) =>
    nextResolve(/\/build\/program\/.*main\.mjs$/.test(specifier) ? sources : specifier, context),
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context)
    if (!url.endsWith('/src/model/fields/product-fields.ts')) return loaded
    const source = String(loaded.source)
    if (!source.includes(endOfTable)) throw new Error('the table of fields ends otherwise')
    return { ...loaded, source: source.replace(endOfTable, `${entry}${endOfTable}`) }
  },
})
