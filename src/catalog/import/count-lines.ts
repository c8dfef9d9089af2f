import { escapeControlCharacters } from '../../platform/terminal/escape-control-characters.ts'
import { fileLimits } from '../limits.ts'
import { emptySummary, type LineResult, type PushSummary } from '../push/push-products.ts'
import { repeatedSkus } from './repeated-skus.ts'
import type { FileLine } from './rows/file-line.ts'

export type Counts = PushSummary & {
  /** Lines whose SKU already occurred in an earlier line. */
  repeated_skus: number
  /** Products that got axes, a parent, components or links after their own lines. */
  connected: number
}

/** What to do with a file. Only `import` writes products. */
export type ImportMode = 'import' | 'dry run' | 'proposal'

/** Counts the results of the lines of a file, passes on rejected lines and prints warnings. */
export function countLines(
  mode: ImportMode,
  onRejected: (line: FileLine, errors: string) => void,
): { count(line: FileLine, result: LineResult): void; counts(): Counts } {
  const summary = emptySummary()
  const printWarning = firstOnly('warnings')
  const printRepeated = firstOnly('repeated SKUs')
  const printMissing = firstOnly('missing products')
  const isRepeated = repeatedSkus()
  let repeated = 0
  let connected = 0

  /** Lines that only add to a product are counted as connected, unless they are rejected. */
  function isCounted(line: FileLine, { outcome, sku, errors }: LineResult): boolean {
    if (!addsToProduct(line)) return true
    if (outcome === 'updated') connected += 1
    // If nothing is written, the product may be in a later or a much earlier line.
    const isMissing = errors.some(
      ({ pointer, code }) => code === 'not_found' || (mode !== 'import' && pointer === '/name'),
    )
    if (isMissing && mode !== 'dry run')
      printMissing(line, `: product ${sku} does not exist; import this file again after you have created it`)
    return outcome === 'rejected' && !isMissing
  }

  function count(line: FileLine, result: LineResult): void {
    if (!isCounted(line, result)) return
    const { outcome, sku, errors, warnings = [] } = result
    summary.lines += 1
    summary[outcome] += 1
    // One row may add to several products.
    const about = addsToProduct(line) && sku !== null ? `${sku}: ` : ''
    if (outcome === 'rejected') onRejected(line, about + errors.map(sentence).join('; '))
    if (warnings.length > 0) printWarning(line, `: warning: ${warnings.map(sentence).join('; ')}`)
    if (addsToProduct(line) || sku === null || !isRepeated(sku)) return
    repeated += 1
    printRepeated(line, `: the SKU ${sku} already occurred in an earlier line`)
  }

  return { count, counts: () => ({ ...summary, repeated_skus: repeated, connected }) }
}

export function addsToProduct({ step }: FileLine): boolean {
  return step === 'axes' || step === 'references'
}

/** Prints a message for the first lines only. */
function firstOnly(what: string): (line: FileLine, text: string) => void {
  let printed = 0
  return ({ line }, text) => {
    printed += 1
    if (printed <= fileLimits.importErrors)
      process.stderr.write(`line ${line.number}${escapeControlCharacters(text)}\n`)
    if (printed === fileLimits.importErrors + 1) process.stderr.write(`and more lines with ${what}\n`)
  }
}

function sentence({ pointer, code, message }: LineResult['errors'][number]): string {
  return `${pointer ? `${pointer} ` : ''}${message} (${code})`.replaceAll(/\s+/g, ' ')
}
