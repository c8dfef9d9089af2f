import { Type } from 'typebox'
import type { Database, Writable } from '../../platform/database/database.ts'
import type { Line } from '../../platform/http/body/split-body.ts'
import { closed } from '../../platform/http/closed.ts'
import { OneOf } from '../../platform/http/openapi.ts'
import { InputErrorSchema } from '../../platform/http/problem.schema.ts'
import type { Push } from '../batches/apply-batch.ts'
import type { AppliedLine } from '../batches/apply-line.ts'
import { dryRunBatches } from '../batches/dry-run.ts'
import { errorsOf } from '../batches/line-errors.ts'
import { readTurns } from '../batches/read-lines.ts'
import { writeAtomically } from '../batches/write-atomically.ts'
import { writeBatches } from '../batches/write-batches.ts'
import { writeLimits } from '../limits.ts'
import { describeChanges } from './describe-changes.ts'

/** Writes every valid line. */
export async function pushProducts(
  database: Writable,
  push: Push,
  lines: (Line | undefined)[],
  report: Report,
): Promise<void> {
  report.begin()
  await writeBatches(
    database,
    push,
    readTurns(lines),
    (_tx, batch, write) => write(batch),
    (applied) => report.add(applied.map(resultOfLine)),
  )
}

/** Writes all lines atomically. */
export function pushAtomically(
  database: Database,
  push: Push,
  lines: (Line | undefined)[],
  report: Report,
): Promise<void> {
  return writeAtomically(database, push, lines, {
    begin: report.begin,
    add: (applied) => report.add(applied.map(resultOfLine)),
  })
}

/** Reports the results that lines would have, and writes nothing. */
export async function dryRun(
  database: Database,
  push: Push,
  lines: (Line | undefined)[],
  report: Report,
): Promise<void> {
  report.begin()
  for await (const { applied } of dryRunBatches(database, push, lines))
    report.add(applied.map((line) => ({ ...resultOfLine(line), changes: describeChanges(line.changes) })))
}

const Count = Type.Integer({ minimum: 0 })

const PushSummarySchema = Type.Object(
  { lines: Count, created: Count, updated: Count, unchanged: Count, rejected: Count },
  closed,
)
export type PushSummary = Type.Static<typeof PushSummarySchema>

const FieldChange = Type.Object({ before: Type.Unknown(), after: Type.Unknown() }, closed)

const LineResultSchema = Type.Object(
  {
    line: Type.Integer({
      minimum: 1,
      description: 'Line number in the body, or position in the array, from 1',
    }),
    sku: Type.Unsafe<string | null>({ type: ['string', 'null'] }),
    id: Type.Unsafe<number | null>({
      type: ['integer', 'null'],
      description: 'ID of the product; null if it does not exist',
    }),
    outcome: OneOf(['created', 'updated', 'unchanged', 'rejected']),
    errors: Type.Array(InputErrorSchema, {
      description:
        'Up to 20 errors. Pointers start at the line. After 8 MiB of results, only the pointer and code of the first error.',
    }),
    warnings: Type.Optional(
      Type.Array(InputErrorSchema, {
        description:
          'Values that were written although they do not match an attribute definition in the mode `warn`. Left out if there are none.',
      }),
    ),
    changes: Type.Optional(
      Type.Record(Type.String(), FieldChange, {
        description:
          'In a dry run: each changed field before and after, with long text cut. Left out after 8 MiB of results.',
      }),
    ),
  },
  closed,
)
export type LineResult = Type.Static<typeof LineResultSchema>

export const PushResponseSchema = Type.Object(
  { summary: PushSummarySchema, results: Type.Array(LineResultSchema) },
  {
    $id: 'PushAnswer',
    ...closed,
    examples: [
      {
        summary: { lines: 1, created: 0, updated: 1, unchanged: 0, rejected: 0 },
        results: [{ line: 1, sku: 'MUG-300-SAND', id: 1, outcome: 'updated', errors: [] }],
      },
    ],
  },
)

/** A new product has an ID only after the write. */
export function resultOfLine(applied: AppliedLine): LineResult {
  const { line, sku, product, outcome, warnings } = applied
  const errors = errorsOf(applied)
  return { line, sku, id: product?.id ?? null, outcome, errors, ...(warnings && { warnings }) }
}

/** Receives results in the order in which lines are applied. `begin` discards earlier results: the push starts again. */
export type Report = { begin(): void; add(results: LineResult[]): void }

const maxPointerLength = 60

type Collector = Report & { summary(): PushSummary; bytes(): Buffer }

export function emptySummary(): PushSummary {
  return { lines: 0, created: 0, updated: 0, unchanged: 0, rejected: 0 }
}

/** Collects results as bytes: thousands of objects would take many times the memory. */
export function collectResults(): Collector {
  let summary = emptySummary()
  let parts: { line: number; bytes: Buffer }[] = []
  let size = 0

  function serialize(result: LineResult): string {
    const text = JSON.stringify(size > writeLimits.resultBytes ? shortenResult(result) : result)
    size += text.length
    return text
  }

  return {
    begin() {
      summary = emptySummary()
      parts = []
      size = 0
    },
    add(results) {
      for (const { outcome } of results) summary[outcome] += 1
      summary.lines += results.length
      for (const some of consecutive(results))
        parts.push({ line: some[0]?.line ?? 0, bytes: Buffer.from(some.map(serialize).join()) })
    },
    summary: () => summary,
    bytes() {
      const inOrder = parts.toSorted((a, b) => a.line - b.line).map(({ bytes }) => bytes)
      const separated = inOrder.flatMap((part, index) => (index === 0 ? [part] : [Buffer.from(','), part]))
      const head = Buffer.from(`{"summary":${JSON.stringify(summary)},"results":[`)
      return Buffer.concat([head, ...separated, Buffer.from(']}')])
    },
  }
}

/** Splits results into runs of consecutive lines. */
function* consecutive(results: readonly LineResult[]): Generator<readonly LineResult[]> {
  let from = 0
  for (let at = 1; at <= results.length; at += 1) {
    if (results[at]?.line === (results[at - 1]?.line ?? 0) + 1) continue
    yield results.slice(from, at)
    from = at
  }
}

function shortenResult({ changes: _changes, errors, warnings, ...result }: LineResult): LineResult {
  return { ...result, errors: firstError(errors), ...(warnings && { warnings: firstError(warnings) }) }
}

function firstError(errors: LineResult['errors']): LineResult['errors'] {
  const [first] = errors
  if (first === undefined) return []
  const { pointer = '', code } = first
  const message = `Errors in this line: ${errors.length}. The response has no room for details; push the line again to see them.`
  return [{ pointer: pointer.length > maxPointerLength ? '' : pointer, code, message }]
}
