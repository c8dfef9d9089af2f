import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import {
  type Bump,
  bumpVersion,
  formatVersion,
  parseVersion,
  type VersionNumber,
} from '../../src/prompts/version-number.ts'
import { ProblemError } from '../network.ts'
import { sayDone } from '../parts/done.ts'
import { asSentence } from '../parts/problem.tsx'
import type { Prompt, PromptVersionDetail } from '../wire.ts'
import { addVersion } from './changes.ts'
import { promptQuery, promptsKey, versionQuery } from './queries.ts'

/** A version that is being written. */
export type Draft = {
  /** Where its text began. */
  base: { number: string; text: string; variables: string[] }
  /** The latest version that the writer knows of: theirs comes after it. */
  latest: string
  text: string
  bump: Bump
  message: string
}

export function beginDraft(
  { version_number, prompt_text, variables }: PromptVersionDetail,
  latest: string,
): Draft {
  const base = { number: version_number, text: prompt_text, variables }
  return { base, latest, text: prompt_text, bump: 'minor', message: '' }
}

export function nextNumber(latest: string, bump: Bump): string {
  return formatVersion(bumpVersion(parseVersion(latest) as VersionNumber, bump))
}

export type VersionDraft = ReturnType<typeof useVersionDraft>

/**
 * What was typed stays until it is saved or discarded, whichever view is looked at. It is added only where nobody else has added
 * a version since; otherwise theirs is shown first.
 */
export function useVersionDraft(project: number, prompt: Prompt, done: () => void) {
  const queries = useQueryClient()
  const [draft, setDraft] = useState<Draft>()
  const [theirs, setTheirs] = useState<PromptVersionDetail>()
  const changed = draft === undefined ? [] : changedParts(draft)

  const save = useMutation({
    mutationFn: ({ text, bump, message, latest }: Draft) =>
      addVersion(project, prompt.id, { prompt_text: text, bump, message, based_on: latest }),
    onSuccess: (version, { latest, bump }) => {
      const { version_number, variables } = version
      void queries.invalidateQueries({ queryKey: promptsKey(project) })
      // The service adds no text twice.
      if (version_number !== nextNumber(latest, bump)) return
      queries.setQueryData(versionQuery(project, prompt.id, version_number).queryKey, version)
      const { queryKey } = promptQuery(project, prompt.id)
      queries.setQueryData(queryKey, (now = prompt) => ({
        ...now,
        latest_version: version_number,
        variables,
      }))
      sayDone(`Version ${version_number} is added.`)
      setDraft(undefined)
      done()
    },
    onError: async (error) => {
      if (!isOutrun(error)) return
      const { latest_version } = await queries.fetchQuery({
        ...promptQuery(project, prompt.id),
        staleTime: 0,
      })
      setTheirs(await queries.fetchQuery(versionQuery(project, prompt.id, latest_version)))
    },
  })
  const existing = save.data?.version_number
  const told = (pointer: string) => {
    const faults = save.error instanceof ProblemError ? save.error.faults : []
    const found = faults.find((fault) => fault.pointer === pointer)
    return found && asSentence(found.message)
  }
  const faults = { text: told('/prompt_text'), message: told('/message') }
  const isAtField = faults.text !== undefined || faults.message !== undefined

  return {
    ...{ draft, theirs, changed, faults, isDirty: changed.length > 0, isPending: save.isPending },
    /** The version that has this text already. */
    existing: draft !== undefined && existing !== undefined && !save.isPending ? existing : undefined,
    problem: save.error === null || isOutrun(save.error) || isAtField ? undefined : save.error,
    change: (next: Draft) => {
      setDraft(next)
      if (!save.isPending) save.reset()
    },
    save: () => {
      if (draft !== undefined && changed.length > 0 && !save.isPending && theirs === undefined)
        save.mutate(draft)
    },
    discard: () => {
      setDraft(undefined)
      save.reset()
    },
    /** Goes on from the version that somebody else has added: at once, or after more typing. */
    goOn: (isSaved: boolean) => {
      if (draft === undefined || theirs === undefined) return
      const next = { ...draft, latest: theirs.version_number }
      setDraft(next)
      setTheirs(undefined)
      save.reset()
      if (isSaved) save.mutate(next)
    },
  }
}

function changedParts({ base, text, message }: Draft): string[] {
  return [...(text === base.text ? [] : ['Text']), ...(message === '' ? [] : ['Message'])]
}

function isOutrun(error: Error): boolean {
  return error instanceof ProblemError && error.code === 'newer_version'
}
