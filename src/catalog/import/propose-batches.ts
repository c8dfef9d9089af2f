import { basename } from 'node:path'
import { Type } from 'typebox'
import type { Database } from '../../platform/database/database.ts'
import { checkInput } from '../../platform/http/body/check-input.ts'
import type { Line } from '../../platform/http/body/split-body.ts'
import type { Push } from '../batches/applied-line.ts'
import { createProposal } from '../proposals/create-proposal.ts'
import { TitleSchema } from '../proposals/proposal.schema.ts'
import { type LineResult, type Report, resultOfLine } from '../push/push-products.ts'
import type { FileLine } from './rows/file-line.ts'

export type Proposer = {
  /** Of the proposals that can be applied, in the order in which they are to be: one whose lines are all rejected is closed already. */
  ids: number[]
  /** Reads on before the first batch is proposed, to know whether there are several. */
  batches(batches: AsyncGenerator<FileLine[]>): AsyncGenerator<FileLine[]>
  propose(database: Database, push: Push, lines: Line[], report: Report): Promise<void>
}

const InputSchema = Type.Object({ title: TitleSchema })
/** Leaves room for a number. */
const longestTitle = 190

/** In whole characters, as a title is measured. */
function shortened(title: string): string {
  return [...title].slice(0, longestTitle).join('')
}

/** Makes a proposal of each batch of a file. Several have numbers in their titles. */
export function proposerOf(file: string, given: string | undefined): Proposer {
  const usual = file === '-' ? 'Import' : shortened(`Import of ${basename(file)}`)
  const { title } = checkInput(InputSchema, { title: given ?? usual })
  const ids: number[] = []
  let isOnly = false
  let made = 0

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
      const numbered = isOnly ? title : `${shortened(title)} (${made + 1})`
      const proposing = { push, title: numbered, origin: 'import', tokenId: null } as const
      // Told once the proposal is there: a transaction that fails leaves nothing behind.
      const verdicts: LineResult[] = []
      const id = await createProposal(database, proposing, lines, {
        begin: () => verdicts.splice(0),
        add: (applied) => verdicts.push(...applied.map(resultOfLine)),
      })
      made += 1
      if (verdicts.some(({ outcome }) => outcome !== 'rejected')) ids.push(id)
      report.add(verdicts)
    },
  }
}
