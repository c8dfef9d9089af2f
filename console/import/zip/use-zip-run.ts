import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { proposalsKey } from '../../proposals/queries.ts'
import type { Proposal } from '../../wire.ts'
import { proposeLines } from '../changes.ts'
import type { ImagesOfProduct } from './read-images.ts'
import { type RejectedImage, uploadImages } from './upload-images.ts'

/** A proposal accepts 10,000 lines. */
const mostLines = 10_000

type Result = { proposals: Proposal[]; rejected: RejectedImage[] }
export type ZipRun = ReturnType<typeof useZipRun>

/** Uploads the images, then proposes them. After an error, the user can start again; the service stores each image only once. */
export function useZipRun(project: number, products: ImagesOfProduct[]) {
  const queries = useQueryClient()
  const [uploaded, setUploaded] = useState(0)
  const abort = useRef<AbortController>(undefined)
  // Idempotency keys by first line and title, so that a repeated request creates no second proposal.
  const keys = useRef(new Map<string, string>())
  useEffect(() => () => abort.current?.abort(), [])
  const run = useMutation({
    mutationFn: async (title: string): Promise<Result> => {
      abort.current = new AbortController()
      const { signal } = abort.current
      setUploaded(0)
      const onImage = () => setUploaded((count) => count + 1)
      const { lines, rejected } = await uploadImages({ project, products, signal, onImage })
      const proposals: Proposal[] = []
      for (let at = 0; at < lines.length; at += mostLines) {
        const name = `${at} ${title}`
        const key = keys.current.get(name) ?? crypto.randomUUID()
        keys.current.set(name, key)
        const some = lines.slice(at, at + mostLines)
        const body = new Blob(some.map((line) => `${JSON.stringify(line)}\n`))
        proposals.push(await proposeLines(project, { title, mode: 'update', body, key }, signal))
      }
      return { proposals, rejected }
    },
    onSettled: () => queries.invalidateQueries({ queryKey: proposalsKey(project) }),
  })
  return { run, uploaded, cancel: () => abort.current?.abort() }
}
