import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { proposalsKey } from '../proposals/queries.ts'
import type { Proposal } from '../wire.ts'
import type { Mode } from './changes.ts'
import type { FileRecord, RecordSlice } from './file/records.ts'
import { type Line, partsOf } from './parts.ts'
import { makeSender, type Outcome, type Rejected, type Sender } from './sender.ts'

export type Run = {
  title: string
  mode: Mode
  state: 'sending' | 'stopped' | 'done'
  why?: 'cancelled' | 'failed' | 'all rejected' | undefined
  error?: Error | undefined
  /** Lines that are on their way in one request. */
  underWay: number
  /** Whether those arrived is not known where the service could not be asked. */
  isUnsure: boolean
  /** Bytes of the file. */
  read: number
  size: number
  proposals: Proposal[]
  rejected: Rejected[]
}

export type Start = {
  title: string
  mode: Mode
  size: number
  slices: AsyncIterable<RecordSlice>
  /** The lines of records, and the records of which none can be made. */
  linesOf: (records: FileRecord[]) => { lines: Line[]; refused: Rejected[] }
}

const none: Run = {
  title: '',
  mode: 'upsert',
  state: 'sending',
  underWay: 0,
  isUnsure: false,
  read: 0,
  size: 0,
  proposals: [],
  rejected: [],
}
const settleMilliseconds = 10_000

/** What is sent, how far it is, and what came of it. A second start, of fixed lines, adds to the first. */
export function useRun(project: number) {
  const queries = useQueryClient()
  const [run, setRun] = useState<Run>()
  const sender = useRef<Sender>(undefined)
  const abort = useRef<AbortController>(undefined)
  const change = (some: (before: Run) => Partial<Run>) =>
    setRun((before = none) => ({ ...before, ...some(before) }))
  // Whoever leaves the page ends it; what was sent stays, as proposals.
  useEffect(() => () => abort.current?.abort(), [])

  async function drive(): Promise<void> {
    const current = sender.current as Sender
    abort.current = new AbortController()
    const { signal } = abort.current
    change(() => ({ state: 'sending', why: undefined, error: undefined, isUnsure: false }))
    try {
      const end = await current.run(signal)
      change(() =>
        end === 'done' ? { state: 'done', underWay: 0 } : { state: 'stopped', why: end, underWay: 0 },
      )
    } catch (error) {
      // An answer that nobody heard may have been a success.
      const left = await current.settle(AbortSignal.timeout(settleMilliseconds)).catch(() => undefined)
      if (left?.isFound && !signal.aborted) return drive()
      change(({ underWay }) => ({
        state: 'stopped',
        why: signal.aborted ? 'cancelled' : 'failed',
        error: error as Error,
        underWay: left?.lines ?? underWay,
        isUnsure: left === undefined,
      }))
    }
    void queries.invalidateQueries({ queryKey: proposalsKey(project) })
  }

  function start({ title, mode, size, slices, linesOf }: Start): Promise<void> {
    const accepted = (records: FileRecord[]) => {
      const { lines, refused } = linesOf(records)
      if (refused.length > 0) change(({ rejected }) => ({ rejected: [...rejected, ...refused] }))
      return lines
    }
    const parts = partsOf(slices, accepted, (read) => change(() => ({ read })))
    const onPart = (outcome: Outcome) => change((before) => ({ ...merged(before, outcome), underWay: 0 }))
    const onSend = (underWay: number) => change(() => ({ underWay }))
    sender.current = makeSender({ project, title, mode, parts, onPart, onSend })
    change((before) => ({ read: 0, size, mode, title: before.title || title }))
    return drive()
  }

  return {
    run,
    start,
    goOn: drive,
    cancel: () => abort.current?.abort(),
    forget: () => setRun(undefined),
  }
}
export type Running = ReturnType<typeof useRun>

/** Lines that were rejected before and were sent again have what is said of them now. */
function merged({ proposals, rejected }: Run, outcome: Outcome): Pick<Run, 'proposals' | 'rejected'> {
  const sent = new Set(outcome.records.map(({ number }) => number))
  const others = rejected.filter(({ record }) => !sent.has(record.number))
  return {
    proposals: [...proposals, outcome.proposal],
    rejected: [...others, ...outcome.rejected].sort((one, other) => one.record.number - other.record.number),
  }
}
