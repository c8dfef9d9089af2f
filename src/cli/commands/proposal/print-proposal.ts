import { pipeline } from 'node:stream/promises'
import { describeLine } from '../../../catalog/proposals/describe-line.ts'
import { type ListedLine, listLines } from '../../../catalog/proposals/line-list.sql.ts'
import type {
  LineFlag,
  LineState,
  Outcome,
  Proposal,
  ProposalLine,
} from '../../../catalog/proposals/proposal.schema.ts'
import { type ProposalRow, showProposal } from '../../../catalog/proposals/proposal.sql.ts'
import type { Database } from '../../../platform/database/database.ts'
import { type CommonOptions, configFrom, print } from '../../command.ts'
import { commandLimits } from '../../limits.ts'

type LineOptions = CommonOptions & {
  project: number
  state?: LineState
  outcome?: Outcome
  flag?: LineFlag
  line?: number
}

const linesPerPage = commandLimits.proposalLines

/** A table row. */
export function toTableRow({ id, title, state, origin, actor, summary, created_at }: Proposal): object {
  const { open, applied, conflict } = summary.states
  return { id, title, state, origin, actor, lines: summary.total, open, applied, conflict, created_at }
}

/** --json prints the proposal as the API returns it. */
export function printProposal(options: CommonOptions, proposal: ProposalRow): void {
  print(options, options.json === true ? showProposal(proposal) : readable(proposal))
}

function readable(proposal: ProposalRow): object {
  const { summary, reverted_by, ...own } = showProposal(proposal)
  const { total, prepared, outcomes, states } = summary
  return {
    ...own,
    ...(reverted_by !== null && {
      reverted_by: reverted_by.fully ? reverted_by.id : `${reverted_by.id} (partly)`,
    }),
    lines: prepared < total ? `${total} (${prepared} prepared)` : total,
    proposed: inWords(outcomes),
    now: inWords(states),
  }
}

function inWords(counts: Record<string, number>): string {
  const some = Object.entries(counts).filter(([, count]) => count > 0)
  return some.map(([name, count]) => `${count} ${name}`).join(', ') || 'nothing'
}

/** Reads the lines page by page, because there may be many large ones. With --json, prints one object that contains the lines. */
export async function printWithLines(
  database: Database,
  options: LineOptions,
  proposal: ProposalRow,
): Promise<void> {
  if (options.json !== true) {
    printProposal(options, proposal)
    for await (const lines of readLinePages(database, options, proposal.id))
      print(options, lines.map(readableLine))
    return
  }
  async function* texts() {
    yield `${JSON.stringify(showProposal(proposal)).slice(0, -1)},"lines":[`
    let comma = ''
    for await (const lines of readLinePages(database, options, proposal.id)) {
      yield comma + lines.map((line) => JSON.stringify(line)).join()
      comma = ','
    }
    yield ']}\n'
  }
  // The pipeline must not close standard output.
  await pipeline(texts, process.stdout, { end: false })
}

async function* readLinePages(
  database: Database,
  options: LineOptions,
  id: number,
): AsyncGenerator<ProposalLine[]> {
  const read = (number: number, size: number) =>
    listLines(database, options.project, id, options, { number, size }, commandLimits.proposalBytes)
  const { baseUrl = '' } = configFrom(options)
  const describe = (line: ListedLine) => describeLine(line, () => baseUrl)
  for (let number = 1; ; number += 1) {
    const { count, results, withheld = [] } = await read(number, linesPerPage)
    if (results.length > 0) yield results.map(describe)
    // Lines that exceed the page limit together are read one by one.
    for (const place of withheld.keys())
      yield (await read((number - 1) * linesPerPage + place + 1, 1)).results.map(describe)
    if (number * linesPerPage >= count) return
  }
}

function readableLine({
  line,
  sku,
  outcome,
  state,
  score,
  changes,
  original,
  flags,
  errors,
}: ProposalLine): object {
  const messages = errors.map(({ pointer, message }) => `${pointer} ${message}`.trim())
  return {
    line,
    sku,
    outcome,
    state,
    score: `${score.before ?? '-'} to ${score.after ?? '-'}`,
    changes: Object.keys(changes),
    errors: messages.join('; '),
    flags: (flags ?? []).join(', '),
    edited: original === undefined ? '' : 'yes',
  }
}
