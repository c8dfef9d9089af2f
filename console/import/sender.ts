import { randomKey } from '../network.ts'
import type { Proposal, ProposalLine } from '../wire.ts'
import { type Mode, newestProposals, proposeLines, rejectedLines, reportEnd } from './changes.ts'
import type { FileRecord } from './file/records.ts'
import type { Part } from './parts.ts'

export type LineError = Pick<ProposalLine['errors'][number], 'pointer' | 'code' | 'message'>
export type Rejected = { record: FileRecord; errors: LineError[] }
export type PartResult = { proposal: Proposal; records: FileRecord[]; rejected: Rejected[] }

type Sending = {
  project: number
  title: string
  mode: Mode
  parts: AsyncGenerator<Part>
  onPart: (result: PartResult) => void
  onSend: (lines: number) => void
}

export type Sender = {
  /** Starts or continues. Pauses after a completely rejected part, because the mapping may be wrong. */
  run(signal: AbortSignal): Promise<'done' | 'all rejected'>
  /** After an interrupted run: checks whether the pending lines arrived, and returns how many did not. */
  settle(signal: AbortSignal): Promise<{ lines: number; isFound: boolean }>
}

/** Sends each part as a proposal, with an idempotency key, so that a repeated part creates no second proposal. */
export function makeSender({ project, title, mode, parts, onPart, onSend }: Sending): Sender {
  let begin: number | undefined
  const sent: number[] = []
  let part: Part | undefined
  let key: string | undefined
  let created: Proposal | undefined
  let reading: Promise<IteratorResult<Part>> | undefined

  /** Does not block a cancel. A part that is read in the meantime is kept for the next run. */
  async function nextPart(signal: AbortSignal): Promise<Part | undefined> {
    reading ??= parts.next()
    const { value } = await Promise.race([reading, aborted(signal)])
    reading = undefined
    return value ?? undefined
  }

  const titleOf = ({ isLast }: Part) =>
    sent.length === 0 && isLast ? title : `${title} (${sent.length + 1})`

  /** Finds the proposal of a part by title and size, among those created since the import started. */
  async function findProposal(wanted: Part, signal: AbortSignal): Promise<Proposal | undefined> {
    const isIt = ({ id, title, summary }: Proposal) =>
      id > (begin ?? 0) && title === titleOf(wanted) && summary.total === wanted.records.length
    return (await newestProposals(project, signal)).find(isIt)
  }

  async function propose(wanted: Part, signal: AbortSignal): Promise<Proposal> {
    begin ??= (await newestProposals(project, signal))[0]?.id ?? 0
    onSend(wanted.records.length)
    key ??= randomKey()
    return await proposeLines(project, { title: titleOf(wanted), mode, body: wanted.body, key }, signal)
  }

  async function finish(wanted: Part, proposal: Proposal, signal: AbortSignal): Promise<boolean> {
    const lines =
      proposal.summary.states.rejected === 0 ? [] : await rejectedLines(project, proposal.id, signal)
    const rejected = lines.flatMap(({ line, errors }) => {
      const record = wanted.records[line - 1]
      return record === undefined ? [] : [{ record, errors }]
    })
    onPart({ proposal, records: wanted.records, rejected })
    begin = proposal.id
    sent.push(proposal.id)
    part = undefined
    created = undefined
    key = undefined
    return rejected.length === wanted.records.length && !wanted.isLast
  }

  return {
    async run(signal) {
      for (;;) {
        signal.throwIfAborted()
        part ??= await nextPart(signal)
        if (part === undefined) {
          if (sent.length > 0) await reportEnd(project, { title, proposals: sent })
          return 'done'
        }
        created ??= await propose(part, signal)
        if (await finish(part, created, signal)) return 'all rejected'
      }
    },
    async settle(signal) {
      if (part === undefined || key === undefined) return { lines: 0, isFound: false }
      created ??= await findProposal(part, signal)
      if (created === undefined) return { lines: part.records.length, isFound: false }
      await finish(part, created, signal)
      return { lines: 0, isFound: true }
    },
  }
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}
