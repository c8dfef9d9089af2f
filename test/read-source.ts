import { Readable } from 'node:stream'
import { csvLines } from '../src/catalog/import/rows/import-csv.ts'
import { type CellCounts, countCells } from '../src/catalog/import/rows/tally.ts'
import { type SourceOptions, sourceOf } from '../src/catalog/import/source.ts'

// biome-ignore lint/suspicious/noExplicitAny: lines of every shape
export type ReadFile = CellCounts & { lines: any[]; nameOf: (string | undefined)[] }

/** The push lines that an import creates from a CSV, and the counts of dropped cells. */
export async function readSource(
  text: string,
  options: Partial<SourceOptions>,
  project: Partial<Parameters<typeof sourceOf>[2]> = {},
): Promise<ReadFile> {
  const tally = countCells()
  const facts = { currency: 'EUR', definitions: [], views: undefined, ...project }
  const readerOf = sourceOf('products.csv', { mode: 'upsert', ...options }, facts)
  const reading = {
    encoding: undefined,
    readerOf: (header: string[]) => readerOf(header, tally),
    tally,
    rejectedRows: new Set<number>(),
    onEncoding: () => {},
  }
  const lines: ReadFile['lines'] = []
  const names: ReadFile['nameOf'] = []
  for await (const { line, nameOf } of csvLines(Readable.from([Buffer.from(text)]), reading, () => {})) {
    lines.push(JSON.parse(line.bytes?.toString() ?? ''))
    names.push(nameOf)
  }
  return { lines, nameOf: names, ...tally.counts() }
}
