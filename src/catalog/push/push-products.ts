import { Type } from 'typebox'
import type { Database, Writable } from '../../platform/database/database.ts'
import type { Line } from '../../platform/http/body/split-body.ts'
import { closed } from '../../platform/http/closed.ts'
import { OneOf } from '../../platform/http/openapi.ts'
import { InputErrorSchema } from '../../platform/http/problem.schema.ts'
import { type AppliedLine, errorsOf, type Push } from '../batches/applied-line.ts'
import { dryRunBatches } from '../batches/dry-run.ts'
import { readTurns } from '../batches/read-batches.ts'
import { writeAtomically, writeBatches } from '../batches/write-batches.ts'
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
    (applied) => report.tell(applied.map(resultOfLine)),
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
    tell: (applied) => report.tell(applied.map(resultOfLine)),
  })
}

/** Tells what would become of the lines, and writes nothing. */
export async function dryRun(
  database: Database,
  push: Push,
  lines: (Line | undefined)[],
  report: Report,
): Promise<void> {
  report.begin()
  for await (const { applied } of dryRunBatches(database, push, lines))
    report.tell(applied.map((line) => ({ ...resultOfLine(line), changes: describeChanges(line.changes) })))
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
    line: Type.Integer({ minimum: 1, description: 'Line of the body, or place in the array, from 1' }),
    sku: Type.Unsafe<string | null>({ type: ['string', 'null'] }),
    id: Type.Unsafe<number | null>({
      type: ['integer', 'null'],
      description: 'Of the product, where there is one',
    }),
    outcome: OneOf(['created', 'updated', 'unchanged', 'rejected']),
    errors: Type.Array(InputErrorSchema, {
      description:
        'Every fault of the line, up to 20; pointers begin at the line. Past 8 MiB of verdicts only where the first fault is, and its code',
    }),
    warnings: Type.Optional(
      Type.Array(InputErrorSchema, {
        description:
          'What was written although a definition of an attribute, in the mode warn, says otherwise; there only where there is some, and told like errors',
      }),
    ),
    changes: Type.Optional(
      Type.Record(Type.String(), FieldChange, {
        description:
          'In a dry run: the fields before and after, long texts cut short; left out past 8 MiB of verdicts',
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

/** Told in the order in which the lines are applied. What was told before begin() is to be forgotten: the push began anew. */
export type Report = { begin(): void; tell(verdicts: LineResult[]): void }

const longestPointer = 60

type Collected = Report & { summary(): PushSummary; bytes(): Buffer }

export function emptySummary(): PushSummary {
  return { lines: 0, created: 0, updated: 0, unchanged: 0, rejected: 0 }
}

/** The verdicts as bytes, made as they come: thousands of objects would weigh many times as much. */
export function collectResults(): Collected {
  let summary = emptySummary()
  let parts: { line: number; bytes: Buffer }[] = []
  let size = 0

  function written(verdict: LineResult): string {
    const text = JSON.stringify(size > writeLimits.resultBytes ? brief(verdict) : verdict)
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
      for (const some of consecutive(verdicts))
        parts.push({ line: some[0]?.line ?? 0, bytes: Buffer.from(some.map(written).join()) })
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

/** Verdicts between which no other belongs. */
function* consecutive(verdicts: readonly LineResult[]): Generator<readonly LineResult[]> {
  let from = 0
  for (let at = 1; at <= verdicts.length; at += 1) {
    if (verdicts[at]?.line === (verdicts[at - 1]?.line ?? 0) + 1) continue
    yield verdicts.slice(from, at)
    from = at
  }
}

function brief({ changes: _changes, errors, warnings, ...verdict }: LineResult): LineResult {
  return { ...verdict, errors: briefFaults(errors), ...(warnings && { warnings: briefFaults(warnings) }) }
}

function briefFaults(faults: LineResult['errors']): LineResult['errors'] {
  const [first] = faults
  if (first === undefined) return []
  const { pointer = '', code } = first
  const message = `Faults of this line: ${faults.length}. The answer has no room for more; push the line again to read of them.`
  return [{ pointer: pointer.length > longestPointer ? '' : pointer, code, message }]
}
