import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { notificationsKey } from '../notifications/queries.ts'
import { proposalsKey } from '../proposals/queries.ts'
import type { Proposal } from '../wire.ts'
import type { Mode } from './changes.ts'
import type { FileRecord, RecordSlice } from './file/records.ts'
import { type Line, partsOf } from './parts.ts'
import { makeSender, type PartResult, type Rejected, type Sender } from './sender.ts'

export type Run = {
  title: string
  mode: Mode
  state: 'sending' | 'stopped' | 'done'
  why?: 'canceled' | 'failed' | 'all rejected' | undefined
  error?: Error | undefined
  /** Lines in the current request. */
  underWay: number
  /** Whether it is unknown if those lines arrived. */
  isUnsure: boolean
  /** Bytes of the file. */
  read: number
  size: number
  proposals: Proposal[]
  rejected: Rejected[]
  /** SKUs that occur more than once in the file. */
  repeated: string[]
}

export type Start = {
  title: string
  mode: Mode
  size: number
  slices: AsyncIterable<RecordSlice>
  /** Converts records to lines. `rejected` has the records that cannot be converted. */
  linesOf: (records: FileRecord[]) => { lines: Line[]; rejected: Rejected[]; repeated: string[] }
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
  repeated: [],
}
const settleMilliseconds = 10_000

/** The state of an import. A second start, with fixed lines, adds to the first. */
export function useRun(project: number) {
  const queries = useQueryClient()
  const [run, setRun] = useState<Run>()
  const sender = useRef<Sender>(undefined)
  const abort = useRef<AbortController>(undefined)
  const change = (some: (before: Run) => Partial<Run>) =>
    setRun((before = none) => ({ ...before, ...some(before) }))
  // Leaving the page stops the import. Proposals that were sent are kept.
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
      // A lost response may have been a success.
      const left = await current.settle(AbortSignal.timeout(settleMilliseconds)).catch(() => undefined)
      if (left?.isFound && !signal.aborted) return drive()
      change(({ underWay }) => ({
        state: 'stopped',
        why: signal.aborted ? 'canceled' : 'failed',
        error: error as Error,
        underWay: left?.lines ?? underWay,
        isUnsure: left === undefined,
      }))
    }
    void queries.invalidateQueries({ queryKey: proposalsKey(project) })
    void queries.invalidateQueries({ queryKey: notificationsKey })
  }

  function start({ title, mode, size, slices, linesOf }: Start): Promise<void> {
    const accepted = (records: FileRecord[]) => {
      const { lines, rejected: added, repeated: again } = linesOf(records)
      if (again.length > 0) change(({ repeated }) => ({ repeated: [...new Set([...repeated, ...again])] }))
      if (added.length > 0) change(({ rejected }) => ({ rejected: [...rejected, ...added] }))
      return lines
    }
    const parts = partsOf(slices, accepted, (read) => change(() => ({ read })))
    const onPart = (result: PartResult) => change((before) => ({ ...merged(before, result), underWay: 0 }))
    const onSend = (underWay: number) => change(() => ({ underWay }))
    sender.current = makeSender({ project, title, mode, parts, onPart, onSend })
    change((before) => ({ read: 0, size, mode, title: before.title || title }))
    return drive()
  }

  return {
    run,
    start,
    resume: drive,
    cancel: () => abort.current?.abort(),
    forget: () => setRun(undefined),
  }
}
export type Running = ReturnType<typeof useRun>

/** Lines that were sent again get their new errors. */
function merged({ proposals, rejected }: Run, result: PartResult): Pick<Run, 'proposals' | 'rejected'> {
  const sent = new Set(result.records.map(({ number }) => number))
  const others = rejected.filter(({ record }) => !sent.has(record.number))
  return {
    proposals: [...proposals, result.proposal],
    rejected: [...others, ...result.rejected].sort((one, other) => one.record.number - other.record.number),
  }
}
