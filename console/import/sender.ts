import type { Proposal, ProposalLine } from '../wire.ts'
import { type Mode, newestProposals, proposeLines, rejectedLines } from './changes.ts'
import type { FileRecord } from './file/records.ts'
import type { Part } from './parts.ts'

export type Fault = Pick<ProposalLine['errors'][number], 'pointer' | 'code' | 'message'>
export type Rejected = { record: FileRecord; faults: Fault[] }
/** What has become of one part. */
export type Outcome = { proposal: Proposal; records: FileRecord[]; rejected: Rejected[] }

type Sending = {
  project: number
  title: string
  mode: Mode
  parts: AsyncGenerator<Part>
  onPart: (outcome: Outcome) => void
  onSend: (lines: number) => void
}

export type Sender = {
  /** Goes on where it stood. It pauses where a whole part is rejected and more follow: perhaps the columns are wrong. */
  run(signal: AbortSignal): Promise<'done' | 'all rejected'>
  /** After a run that was cut off: looks whether the lines under way arrived, and tells how many have not. */
  settle(signal: AbortSignal): Promise<{ lines: number; isFound: boolean }>
}

/** Sends part after part, each as a proposal of its own, with a key: a part that is sent again makes no second proposal. */
export function makeSender({ project, title, mode, parts, onPart, onSend }: Sending): Sender {
  let begin: number | undefined
  let sent = 0
  let part: Part | undefined
  let key: string | undefined
  let made: Proposal | undefined
  let reading: Promise<IteratorResult<Part>> | undefined

  /** A cancel does not wait for the file. What is read meanwhile is kept; a file that broke stays broken. */
  async function nextPart(signal: AbortSignal): Promise<Part | undefined> {
    reading ??= parts.next()
    const { value } = await Promise.race([reading, aborted(signal)])
    reading = undefined
    return value ?? undefined
  }

  const titleOf = ({ isLast }: Part) => (sent === 0 && isLast ? title : `${title} (${sent + 1})`)

  /** By its title and its size, among those that are younger than this import. */
  async function look(wanted: Part, signal: AbortSignal): Promise<Proposal | undefined> {
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
      return record === undefined ? [] : [{ record, faults: errors }]
    })
    onPart({ proposal, records: wanted.records, rejected })
    begin = proposal.id
    sent += 1
    part = undefined
    made = undefined
    key = undefined
    return rejected.length === wanted.records.length && !wanted.isLast
  }

  return {
    async run(signal) {
      for (;;) {
        signal.throwIfAborted()
        part ??= await nextPart(signal)
        if (part === undefined) return 'done'
        made ??= await propose(part, signal)
        if (await finish(part, made, signal)) return 'all rejected'
      }
    },
    async settle(signal) {
      if (part === undefined || key === undefined) return { lines: 0, isFound: false }
      made ??= await look(part, signal)
      if (made === undefined) return { lines: part.records.length, isFound: false }
      await finish(part, made, signal)
      return { lines: 0, isFound: true }
    },
  }
}

/** randomUUID is only there on pages that came by https. */
function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16)).join('-')
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}
