import { basename } from 'node:path'
import { Type } from 'typebox'
import type { Database } from '../../platform/database/database.ts'
import { checkInput } from '../../platform/http/body/check-input.ts'
import type { Line } from '../../platform/http/body/split-body.ts'
import type { Push } from '../batches/apply-batch.ts'
import { createProposal } from '../proposals/create-proposal.ts'
import { TitleSchema } from '../proposals/proposal.schema.ts'
import { type LineResult, type Report, resultOfLine } from '../push/push-products.ts'
import type { FileLine } from './rows/file-line.ts'

export type Proposer = {
  /** Proposals that can be applied, in this order. A proposal whose lines are all rejected is already closed. */
  ids: number[]
  /** Reads ahead by one batch, to know whether there are several. */
  batches(batches: AsyncGenerator<FileLine[]>): AsyncGenerator<FileLine[]>
  propose(database: Database, push: Push, lines: Line[], report: Report): Promise<void>
}

const InputSchema = Type.Object({ title: TitleSchema })
/** Leaves room for a number. */
const maxTitleLength = 190

/** Counts whole characters, like the title limit. */
function shortened(title: string): string {
  return [...title].slice(0, maxTitleLength).join('')
}

/** Creates one proposal per batch of a file, with numbers in their titles if there are several. */
export function proposerOf(file: string, given: string | undefined): Proposer {
  const defaultTitle = file === '-' ? 'Import' : shortened(`Import of ${basename(file)}`)
  const { title } = checkInput(InputSchema, { title: given ?? defaultTitle })
  const ids: number[] = []
  let isOnly = false
  let created = 0

  return {
    ids,
    async *batches(batches) {
      const first = await batches.next()
      if (first.done === true) return
      const second = await batches.next()
      isOnly = second.done === true
      yield first.value
      if (second.done === true) return
      yield second.value
      yield* batches
    },
    async propose(database, push, lines, report) {
      if (lines.length === 0) return
      const numbered = isOnly ? title : `${shortened(title)} (${created + 1})`
      const proposing = { push, title: numbered, origin: 'import', tokenId: null } as const
      // Reported once the proposal exists, because a failed transaction leaves nothing behind.
      const results: LineResult[] = []
      const id = await createProposal(database, proposing, lines, {
        begin: () => results.splice(0),
        add: (applied) => results.push(...applied.map(resultOfLine)),
      })
      created += 1
      if (results.some(({ outcome }) => outcome !== 'rejected')) ids.push(id)
      report.add(results)
    },
  }
}
