import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type Dispatch, type SetStateAction, useState } from 'react'
import { ProblemError } from '../../network.ts'
import { sayDone } from '../../parts/done.ts'
import { asSentence } from '../../parts/problem.tsx'
import type { Prompt, PromptVersionDetail } from '../../wire.ts'
import { addVersion } from '../changes.ts'
import { promptQuery, promptsKey, versionQuery } from '../queries.ts'
import { changedParts, type Draft, leftOf, nextNumber } from './version-draft.ts'

/** Where to go once it is added, and where one sees why it was not. */
type Ends = { done: () => void; show: () => void }

export type VersionDraft = ReturnType<typeof useVersionDraft>

/** What was typed stays until it is added or discarded, whichever view is looked at. */
export function useVersionDraft(project: number, prompt: Prompt, ends: Ends) {
  const [draft, setDraft] = useState<Draft>()
  const { add, theirs, setTheirs } = useAdding(project, prompt, ends, setDraft)
  const changed = draft === undefined ? [] : changedParts(draft)
  const faults = { text: faultAt(add.error, '/prompt_text'), message: faultAt(add.error, '/message') }
  const isAtField = faults.text !== undefined || faults.message !== undefined
  return {
    ...{ draft, theirs, changed, faults, isDirty: changed.length > 0, isPending: add.isPending },
    /** The version that has this text already. */
    existing: draft === undefined ? undefined : add.data?.version_number,
    problem: add.error === null || theirs !== undefined || isAtField ? undefined : add.error,
    change: (next: Draft) => {
      setDraft(next)
      if (!add.isPending) add.reset()
    },
    save: () => {
      if (draft !== undefined && changed.length > 0 && !add.isPending && theirs === undefined)
        add.mutate(draft)
    },
    discard: () => {
      setDraft(undefined)
      add.reset()
    },
    /** Goes on from the version that somebody else has added: at once, or after more typing. */
    goOn: (isSaved: boolean) => {
      if (draft === undefined || theirs === undefined) return
      const next = { ...draft, latest: theirs.version_number }
      setDraft(next)
      setTheirs(undefined)
      add.reset()
      if (isSaved) add.mutate(next)
    },
  }
}

type SetDraft = Dispatch<SetStateAction<Draft | undefined>>

/** Adds a version where nobody else has added one since; otherwise theirs is fetched, to be looked at first. */
function useAdding(project: number, prompt: Prompt, { done, show }: Ends, setDraft: SetDraft) {
  const queries = useQueryClient()
  const [theirs, setTheirs] = useState<PromptVersionDetail>()
  const one = promptQuery(project, prompt.id)
  const add = useMutation({
    mutationFn: ({ text, bump, message, latest }: Draft) =>
      addVersion(project, prompt.id, { prompt_text: text, bump, message, based_on: latest }),
    onSuccess: (version, sent) => {
      const { version_number: number, variables } = version
      void queries.invalidateQueries({ queryKey: promptsKey(project) })
      // The service adds no text twice.
      if (number !== nextNumber(sent.latest, sent.bump)) return show()
      queries.setQueryData(versionQuery(project, prompt.id, number).queryKey, version)
      queries.setQueryData(one.queryKey, (now = prompt) => ({ ...now, latest_version: number, variables }))
      sayDone(`Version ${number} is added.`)
      setDraft((now) => leftOf(now, sent, version))
      add.reset()
      done()
    },
    onError: async (error) => {
      if (!isOutrun(error)) return show()
      const { latest_version } = await queries.fetchQuery({ ...one, staleTime: 0 })
      setTheirs(await queries.fetchQuery(versionQuery(project, prompt.id, latest_version)))
    },
  })
  return { add, theirs, setTheirs }
}

function isOutrun(error: Error): boolean {
  return error instanceof ProblemError && error.code === 'newer_version'
}

function faultAt(error: Error | null, pointer: string): string | undefined {
  const faults = error instanceof ProblemError ? error.faults : []
  const found = faults.find((fault) => fault.pointer === pointer)
  return found && asSentence(found.message)
}
