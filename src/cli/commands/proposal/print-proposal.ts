import { pipeline } from 'node:stream/promises'
import { describeLine } from '../../../catalog/proposals/describe-line.ts'
import { listLines } from '../../../catalog/proposals/line-list.sql.ts'
import type {
  LineState,
  Outcome,
  Proposal,
  ProposalLine,
} from '../../../catalog/proposals/proposal.schema.ts'
import type { ProposalRow } from '../../../catalog/proposals/proposal.sql.ts'
import { showProposal } from '../../../catalog/proposals/proposal-events.ts'
import type { Database } from '../../../platform/database/database.ts'
import { mebibyte } from '../../../platform/units.ts'
import { type CommonOptions, print } from '../../command.ts'

type LineOptions = CommonOptions & { project: number; state?: LineState; outcome?: Outcome }

const linesPerPage = 100
const bytesPerPage = 8 * mebibyte

/** In a row of a table. */
export function briefly({ id, title, state, origin, actor, summary, created_at }: Proposal): object {
  const { open, applied, conflict } = summary.states
  return { id, title, state, origin, actor, lines: summary.total, open, applied, conflict, created_at }
}

/** --json has the proposal as the API answers it. */
export function printProposal(options: CommonOptions, proposal: ProposalRow): void {
  print(options, options.json === true ? showProposal(proposal) : readable(proposal))
}

function readable(proposal: ProposalRow): object {
  const { summary, reverted_by, ...own } = showProposal(proposal)
  const { total, prepared, outcomes, states } = summary
  return {
    ...own,
    ...(reverted_by !== null && {
      reverted_by: reverted_by.fully ? reverted_by.id : `${reverted_by.id}, in part`,
    }),
    lines: prepared < total ? `${total}, of which ${prepared} are made` : total,
    proposed: inWords(outcomes),
    now: inWords(states),
  }
}

function inWords(counts: Record<string, number>): string {
  const some = Object.entries(counts).filter(([, count]) => count > 0)
  return some.map(([name, count]) => `${count} ${name}`).join(', ') || 'nothing'
}

/** Some lines at a time: there may be very many, and large ones. With --json it is one object, with the lines in it. */
export async function printWithLines(
  database: Database,
  options: LineOptions,
  proposal: ProposalRow,
): Promise<void> {
  if (options.json !== true) {
    printProposal(options, proposal)
    for await (const lines of linesOf(database, options, proposal.id)) print(options, lines.map(readableLine))
    return
  }
  async function* texts() {
    yield `${JSON.stringify(showProposal(proposal)).slice(0, -1)},"lines":[`
    let comma = ''
    for await (const lines of linesOf(database, options, proposal.id)) {
      yield comma + lines.map((line) => JSON.stringify(line)).join()
      comma = ','
    }
    yield ']}\n'
  }
  // The pipeline must not close the standard output.
  await pipeline(texts, process.stdout, { end: false })
}

async function* linesOf(
  database: Database,
  options: LineOptions,
  id: number,
): AsyncGenerator<ProposalLine[]> {
  const read = (number: number, size: number) =>
    listLines(database, options.project, id, options, { number, size }, bytesPerPage)
  for (let number = 1; ; number += 1) {
    const { count, results, withheld = [] } = await read(number, linesPerPage)
    if (results.length > 0) yield results.map(describeLine)
    // Lines that are too large together come one by one.
    for (const place of withheld.keys())
      yield (await read((number - 1) * linesPerPage + place + 1, 1)).results.map(describeLine)
    if (number * linesPerPage >= count) return
  }
}

function readableLine({ line, sku, outcome, state, score, changes, errors }: ProposalLine): object {
  const told = errors.map(({ pointer, message }) => `${pointer} ${message}`.trim())
  return {
    line,
    sku,
    outcome,
    state,
    score: `${score.before ?? '-'} to ${score.after ?? '-'}`,
    changes: Object.keys(changes),
    errors: told.join('; '),
  }
}
