import { useCallback, useEffect, useRef, useState } from 'react'
import type { Asset } from '../../wire.ts'
import { isAboutFile, refusal, uploadError, uploadFile } from './upload-file.ts'

export type Upload = {
  key: number
  file: File
  /** The sent share of the file; undefined until its turn. */
  share?: number
  error?: string
  /** Whether a second attempt can succeed. */
  canRetry?: boolean
}

export type Uploads = ReturnType<typeof useUploads>

/**
 * Files on their way to the service. A finished one leaves the list, after `done` has received its asset. Leaving the page
 * cancels the rest.
 */
export function useUploads(project: number, done: (asset: Asset, key: number) => void) {
  const [uploads, setUploads] = useState<readonly Upload[]>([])
  /** Since the last time that no upload was running. */
  const [finished, setFinished] = useState(0)
  const next = useRef(1)
  const running = useRef(new Map<number, AbortController>())
  const latest = useRef(done)
  useEffect(() => {
    latest.current = done
  })
  useEffect(() => {
    const { current } = running
    return () => {
      for (const controller of current.values()) controller.abort()
    }
  }, [])

  const change = useCallback((key: number, part: Partial<Upload>) => {
    setUploads((list) => list.map((one) => (one.key === key ? { ...one, ...part } : one)))
  }, [])
  const remove = useCallback((key: number) => {
    running.current.get(key)?.abort()
    setUploads((list) => list.filter((one) => one.key !== key))
  }, [])
  const run = useCallback(
    async ({ key, file }: Upload) => {
      const controller = new AbortController()
      running.current.set(key, controller)
      try {
        const progress = (share: number) => change(key, { share })
        latest.current(await uploadFile(project, file, { signal: controller.signal, progress }), key)
        setFinished((count) => count + 1)
        remove(key)
      } catch (error) {
        if (controller.signal.aborted) return
        change(key, { error: uploadError(error as Error), canRetry: !isAboutFile(error) })
      } finally {
        running.current.delete(key)
      }
    },
    [project, change, remove],
  )

  const add = useCallback(
    (files: readonly File[]) => {
      const added = files.map((file): Upload => {
        const error = refusal(file)
        return { key: next.current++, file, ...(error !== undefined && { error }) }
      })
      if (running.current.size === 0) setFinished(0)
      setUploads((list) => [...list, ...added])
      for (const upload of added) if (upload.error === undefined) void run(upload)
    },
    [run],
  )
  const retry = (upload: Upload) => {
    const { key, file } = upload
    setUploads((list) => list.map((one) => (one.key === key ? { key, file } : one)))
    void run({ key, file })
  }
  const isRunning = uploads.some(({ error }) => error === undefined)
  return { uploads, add, retry, remove, isRunning, finished }
}
