import { escapeControlCharacters } from '../../platform/terminal/escape-control-characters.ts'
import { fileLimits } from '../limits.ts'
import { emptySummary, type LineResult, type PushSummary } from '../push/push-products.ts'
import { repeatedSkus } from './repeated-skus.ts'
import type { FileLine } from './rows/file-line.ts'

export type Counts = PushSummary & {
  /** Lines with a SKU that a line before them has. */
  repeated_skus: number
  /** Products that got axes, a parent, components or links after their own lines. */
  connected: number
}

/** What is done with a file. Only an import writes products. */
export type Way = 'import' | 'dry run' | 'proposal'

/** Counts what became of the lines of a file, hands on those that are rejected, and tells what else there is to say of them. */
export function countLines(
  way: Way,
  onRejected: (line: FileLine, errors: string) => void,
): { count(line: FileLine, verdict: LineResult): void; counts(): Counts } {
  const summary = emptySummary()
  const tellWarning = firstOnly('warnings')
  const tellRepeated = firstOnly('SKUs that stand in several lines')
  const tellMissing = firstOnly('products that are not there')
  const isRepeated = repeatedSkus()
  let repeated = 0
  let connected = 0

  /** What adds to a product is counted apart from the line of the product, unless it is refused for what it says. */
  function isCounted(line: FileLine, { outcome, sku, errors }: LineResult): boolean {
    if (!addsToProduct(line)) return true
    if (outcome === 'updated') connected += 1
    // Where nothing is written a product may stand later, or many lines before.
    const isMissing = errors.some(
      ({ pointer, code }) => code === 'not_found' || (way !== 'import' && pointer === '/name'),
    )
    if (isMissing && way !== 'dry run')
      tellMissing(
        line,
        `: there is no product ${sku} to add this to; import this file again once it is there`,
      )
    return outcome === 'rejected' && !isMissing
  }

  function count(line: FileLine, verdict: LineResult): void {
    if (!isCounted(line, verdict)) return
    const { outcome, sku, errors, warnings = [] } = verdict
    summary.lines += 1
    summary[outcome] += 1
    // A row may add to several products.
    const about = addsToProduct(line) && sku !== null ? `${sku}: ` : ''
    if (outcome === 'rejected') onRejected(line, about + errors.map(sentence).join('; '))
    if (warnings.length > 0) tellWarning(line, `, a warning: ${warnings.map(sentence).join('; ')}`)
    if (addsToProduct(line) || sku === null || !isRepeated(sku)) return
    repeated += 1
    tellRepeated(line, `: the SKU ${sku} stands in a line before, too`)
  }

  return { count, counts: () => ({ ...summary, repeated_skus: repeated, connected }) }
}

export function addsToProduct({ step }: FileLine): boolean {
  return step === 'axes' || step === 'references'
}

/** Tells something of lines, and of the first of them alone. */
function firstOnly(what: string): (line: FileLine, text: string) => void {
  let told = 0
  return ({ line }, text) => {
    told += 1
    if (told <= fileLimits.importErrors)
      process.stderr.write(`line ${line.number}${escapeControlCharacters(text)}\n`)
    if (told === fileLimits.importErrors + 1) process.stderr.write(`and more lines with ${what}\n`)
  }
}

function sentence({ pointer, code, message }: LineResult['errors'][number]): string {
  return `${pointer ? `${pointer} ` : ''}${message} (${code})`.replaceAll(/\s+/g, ' ')
}
