import { proposeLines } from '../../import/changes.ts'
import { randomKey } from '../../network.ts'
import { asSentence } from '../../parts/problem.tsx'
import { fieldAtPointer } from '../../product/draft/field-errors.ts'
import type { Proposal } from '../../wire.ts'
import type { Edit } from '../model/edits.ts'
import { linesOf, proposalTitle, type RowChange } from '../model/save-plan.ts'
import { checkLines } from './changes.ts'
import { type Saving, withError } from './save-row.ts'

export type Proposing = { proposal: Proposal | undefined; settled: [Edit, Edit | undefined][] }

/**
 * Checks the lines first, because a proposal rejects a line as a whole: rejected values stay edits, and the other values of their
 * products are proposed.
 */
export async function proposeRows(
  { project, signal }: Saving,
  rows: readonly RowChange[],
): Promise<Proposing> {
  const rejected = new Map<Edit, string>()
  for (const { line, errors = [] } of await checkLines(project, bodyOf(rows), signal)) {
    const edits = rows[line - 1]?.edits ?? []
    for (const { pointer = '', message } of errors) {
      const found = edits.find(({ field }) => field === fieldAtPointer(pointer))
      // An error without a field rejects all values of the line.
      for (const edit of found === undefined ? edits : [found]) rejected.set(edit, asSentence(message))
    }
  }
  const left = rows
    .map((row) => ({ ...row, edits: row.edits.filter((edit) => !rejected.has(edit)) }))
    .filter(({ edits }) => edits.length > 0)
  const request = { title: proposalTitle(left), mode: 'update', key: randomKey() } as const
  const proposal =
    left.length === 0 ? undefined : await proposeLines(project, { ...request, body: bodyOf(left) }, signal)
  return {
    proposal,
    settled: [
      ...left.flatMap(({ edits }) => edits.map((edit): [Edit, undefined] => [edit, undefined])),
      ...[...rejected].map(([edit, error]): [Edit, Edit] => [edit, withError(edit, error)]),
    ],
  }
}

function bodyOf(rows: readonly RowChange[]): Blob {
  return new Blob([linesOf(rows).join('\n')])
}
