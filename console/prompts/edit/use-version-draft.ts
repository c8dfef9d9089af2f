import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type Dispatch, type SetStateAction, useState } from 'react'
import { ProblemError } from '../../network.ts'
import { notifySuccess } from '../../parts/notify.ts'
import { asSentence } from '../../parts/problem.tsx'
import type { Prompt, PromptVersionDetail } from '../../wire.ts'
import { addVersion } from '../changes.ts'
import { promptQuery, promptsKey, versionQuery } from '../queries.ts'
import { strings } from '../strings.ts'
import { changedParts, type Draft, leftOf, nextNumber } from './version-draft.ts'

/** `done`: after the version is added. `show`: opens the view that shows the error. */
type Ends = { done: () => void; show: () => void }

export type VersionDraft = ReturnType<typeof useVersionDraft>

/** The draft survives a change of the view, until it is added or discarded. */
export function useVersionDraft(project: number, prompt: Prompt, ends: Ends) {
  const [draft, setDraft] = useState<Draft>()
  const { add, theirs, setTheirs } = useAdding(project, prompt, ends, setDraft)
  const changed = draft === undefined ? [] : changedParts(draft)
  const errors = { text: errorAt(add.error, '/prompt_text'), message: errorAt(add.error, '/message') }
  const isAtField = errors.text !== undefined || errors.message !== undefined
  return {
    ...{ draft, theirs, changed, errors, isDirty: changed.length > 0, isPending: add.isPending },
    /** The existing version with this text. */
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
    /** Continues after the version of another user. `isSaved` adds the draft now. */
    resume: (isSaved: boolean) => {
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

/** Adds a version. If another user added one first, fetches theirs to show it. */
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
      // The service never adds the same text twice.
      if (number !== nextNumber(sent.latest, sent.bump)) return show()
      queries.setQueryData(versionQuery(project, prompt.id, number).queryKey, version)
      queries.setQueryData(one.queryKey, (now = prompt) => ({ ...now, latest_version: number, variables }))
      notifySuccess(strings.edit.done(number))
      setDraft((now) => leftOf(now, sent, version))
      add.reset()
      done()
    },
    onError: async (error) => {
      if (!isOutdated(error)) return show()
      const { latest_version } = await queries.fetchQuery({ ...one, staleTime: 0 })
      setTheirs(await queries.fetchQuery(versionQuery(project, prompt.id, latest_version)))
    },
  })
  return { add, theirs, setTheirs }
}

function isOutdated(error: Error): boolean {
  return error instanceof ProblemError && error.code === 'newer_version'
}

function errorAt(error: Error | null, pointer: string): string | undefined {
  const errors = error instanceof ProblemError ? error.fieldErrors : []
  const found = errors.find((one) => one.pointer === pointer)
  return found && asSentence(found.message)
}
