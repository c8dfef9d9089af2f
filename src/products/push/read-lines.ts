import { setImmediate as nextTurn } from 'node:timers/promises'
import { quotableFault } from '../../http/answer-problem.ts'
import { type BodyFault, Problem } from '../../http/problems.ts'
import { parseJsonBody } from '../../http/request/json-body.ts'
import { type Line, release } from '../../http/request/split-body.ts'
import { compileBody, normalise } from '../../http/request/validate-body.ts'
import { type PushedProduct, PushedProductSchema } from './product-push.schema.ts'

/** A line as it was read: a product to push, or what is wrong with it. */
export type PushedLine = { line: number } & (
  | { sku: string; product: PushedProduct; bytes: number }
  | { sku: string | null; faults: BodyFault[] }
)

const linesPerPortion = 1_000
const bytesPerPortion = 512 * 1024
const blockingMilliseconds = 1
const mostFaults = 20

const validate = compileBody(PushedProductSchema)

/** Portions small enough for one transaction. Other requests have their turn while the lines are read. */
export async function* readPortions(
  lines: (Line | undefined)[],
  keep: boolean,
): AsyncGenerator<PushedLine[]> {
  let portion: PushedLine[] = []
  let bytes = 0
  let since = performance.now()
  for (const [index, line] of lines.entries()) {
    if (line === undefined) continue
    portion.push(readLine(line))
    bytes += line.bytes?.length ?? 0
    // Unless the push may have to begin anew.
    if (!keep) {
      release(line)
      lines[index] = undefined
    }
    if (portion.length === linesPerPortion || bytes >= bytesPerPortion) {
      yield portion
      portion = []
      bytes = 0
    }
    if (performance.now() - since > blockingMilliseconds) {
      await nextTurn()
      since = performance.now()
    }
  }
  if (portion.length > 0) yield portion
}

/** The next item is being made while the last one is used. */
export async function* readAhead<Item>(items: AsyncGenerator<Item>): AsyncGenerator<Item> {
  let next = items.next()
  for (;;) {
    const { done, value } = await next
    if (done === true) return
    next = items.next()
    // Its error is met when the item is asked for.
    next.catch(() => {})
    yield value
  }
}

function readLine({ number: line, bytes, fault }: Line): PushedLine {
  if (fault !== undefined) return { line, sku: null, faults: [fault] }
  if (bytes === undefined) return { line, sku: null, faults: [tooLong] }
  let value: unknown
  try {
    value = parseJsonBody(bytes, 'line')
  } catch (error) {
    if (error instanceof Problem) return { line, sku: null, faults: faultsOf(error) }
    throw error
  }
  const result = validate(value)
  if ('error' in result) return { line, sku: givenSku(value), faults: faultsOf(result.error) }
  const product = result.value as PushedProduct
  return { line, sku: product.sku, product, bytes: bytes.length }
}

const tooLong: BodyFault = {
  pointer: '',
  code: 'body_too_large',
  message: 'The line is over the limit of 1 MiB, which holds for every product.',
}

/** What a single write would have answered, as faults of the line. */
export function faultsOf({ problemCode, message, extras: { errors } }: Problem): BodyFault[] {
  const faults = errors ?? [{ pointer: '', code: problemCode, message }]
  return faults.slice(0, mostFaults).map((fault) => {
    const { code, message } = fault
    return quotableFault({ pointer: 'pointer' in fault ? fault.pointer : '', code, message })
  })
}

function givenSku(value: unknown): string | null {
  const sku = (value as { sku?: unknown } | null)?.sku
  return typeof sku === 'string' && sku.isWellFormed() ? normalise(sku).slice(0, 64).toWellFormed() : null
}

/** SKUs that stand in several lines. Lines that cannot be read have none. */
export async function repeatedSkus(lines: (Line | undefined)[]): Promise<Set<string>> {
  const seen = new Set<string>()
  const repeated = new Set<string>()
  for (const [index, line] of lines.entries()) {
    if (index % 100 === 0) await nextTurn()
    const sku = line?.bytes === undefined ? null : looseSku(line.bytes)
    if (sku === null) continue
    if (seen.has(sku)) repeated.add(sku)
    seen.add(sku)
  }
  return repeated
}

function looseSku(bytes: Buffer): string | null {
  try {
    return givenSku(JSON.parse(bytes.toString('utf8')))
  } catch {
    return null
  }
}
