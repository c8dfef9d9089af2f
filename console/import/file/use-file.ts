import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { definedAttributesQuery } from '../../products/queries.ts'
import { guessMapping } from '../guess.ts'
import type { Mapping } from '../mapping.ts'
import { storedMapping } from '../stored-mapping.ts'
import { type OpenedFile, openFile } from './open-file.ts'

export type Chosen = {
  opened: OpenedFile
  mapping: Mapping
  /** Whether the mapping comes from an earlier file with the same columns. */
  isRemembered: boolean
}

/** The selected file and its column mapping. */
export function useFile(project: number) {
  const queries = useQueryClient()
  const [chosen, setChosen] = useState<Chosen>()
  const [error, setError] = useState<Error>()
  const [isOpening, setOpening] = useState(false)

  async function choose(file: File): Promise<void> {
    setError(undefined)
    setOpening(true)
    try {
      const opened = await openFile(file)
      const stored = storedMapping(project, opened.header)
      const mapping = stored ?? guessMapping(sampleOf(opened), await attributeNames())
      setChosen({ opened, mapping, isRemembered: stored !== undefined })
    } catch (thrown) {
      setError(thrown as Error)
    }
    setOpening(false)
  }

  /** Optional for the guess, so a failed request is ignored. */
  async function attributeNames(): Promise<string[]> {
    const defined = await queries.fetchQuery(definedAttributesQuery(project)).catch(() => undefined)
    return defined?.results.map(({ name }) => name) ?? []
  }

  return {
    chosen,
    error,
    isOpening,
    choose,
    map: (mapping: Mapping) => setChosen((before) => before && { ...before, mapping, isRemembered: false }),
    forget: () => setChosen(undefined),
  }
}

function sampleOf({ header, first }: OpenedFile) {
  return { header, rows: first.map(({ cells }) => cells) }
}
