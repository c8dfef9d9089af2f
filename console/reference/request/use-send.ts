import { useEffect, useRef, useState } from 'react'
import { type RawResponse, sendRaw } from '../../network.ts'
import { strings } from '../strings.ts'
import type { ApiRequest } from './request.ts'

const longestMilliseconds = 60_000
const mostBytes = 256 * 1024

type Sent = { isSending: boolean; response?: RawResponse; error?: Error }

/** Sends one request at a time, without retries. Closing the dialog cancels it. */
export function useSend() {
  const [sent, setSent] = useState<Sent>({ isSending: false })
  const current = useRef<AbortController>(undefined)
  useEffect(() => () => current.current?.abort(), [])

  async function send({ url, method, headers, body }: ApiRequest): Promise<void> {
    current.current?.abort()
    const controller = new AbortController()
    current.current = controller
    setSent({ isSending: true })
    const signal = AbortSignal.any([controller.signal, AbortSignal.timeout(longestMilliseconds)])
    try {
      const response = await sendRaw(url, { method, headers, body: body ?? null, signal }, mostBytes)
      setSent({ isSending: false, response })
    } catch (error) {
      if (controller.signal.aborted) return
      const tookTooLong = error instanceof DOMException && error.name === 'TimeoutError'
      setSent({
        isSending: false,
        error: tookTooLong ? new Error(strings.test.timeout) : (error as Error),
      })
    }
  }

  return { ...sent, send }
}
