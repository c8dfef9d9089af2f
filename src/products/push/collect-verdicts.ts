import type { PushSummary, Verdict } from './product-push.schema.ts'
import { emptySummary, type Report } from './push-products.ts'

/** Verdicts are whole up to here; later ones are brief, so that 10,000 of them stay under twice as much. */
const wholeBytes = 8 * 1024 * 1024
const longestPointer = 60

type Collected = Report & { summary(): PushSummary; bytes(): Buffer }

/** The verdicts as bytes, made as they come: thousands of objects would weigh many times as much. */
export function collectVerdicts(): Collected {
  let summary = emptySummary()
  let parts: Buffer[] = []
  let size = 0

  function written(verdict: Verdict): string {
    const text = JSON.stringify(size > wholeBytes ? brief(verdict) : verdict)
    size += text.length
    return text
  }

  return {
    begin() {
      summary = emptySummary()
      parts = []
      size = 0
    },
    tell(verdicts) {
      for (const { outcome } of verdicts) summary[outcome] += 1
      summary.lines += verdicts.length
      parts.push(Buffer.from(verdicts.map(written).join()))
    },
    summary: () => summary,
    bytes() {
      const separated = parts.flatMap((part, index) => (index === 0 ? [part] : [Buffer.from(','), part]))
      const head = Buffer.from(`{"summary":${JSON.stringify(summary)},"results":[`)
      return Buffer.concat([head, ...separated, Buffer.from(']}')])
    },
  }
}

function brief({ changes: _changes, errors, ...verdict }: Verdict): Verdict {
  const [first] = errors
  if (first === undefined) return { ...verdict, errors }
  const { pointer = '', code } = first
  const message = `Faults of this line: ${errors.length}. The answer has no room for more; push the line again to read of them.`
  return { ...verdict, errors: [{ pointer: pointer.length > longestPointer ? '' : pointer, code, message }] }
}
