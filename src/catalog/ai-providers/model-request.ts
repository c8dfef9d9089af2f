export type ModelRequest = {
  model: string
  system: string
  user: string
  /** The JSON schema of the response, an object. */
  schema: object
  maxOutputTokens: number
  signal: AbortSignal
  /** The project that makes the call. Projects share the memory for responses. */
  project?: number
}

export type Usage = { input: number; output: number }

export type ModelResponse =
  | { outcome: 'values'; values: Record<string, unknown>; isCut: boolean; usage: Usage | undefined }
  | {
      outcome: 'refused' | 'unreadable' | 'failed' | 'rate_limited' | 'timed_out'
      /** For users; never contains the key or text of the response. */
      reason: string
      usage: Usage | undefined
      /** Whether the provider certainly did not process the request, so that it costs nothing. */
      isUnprocessed?: boolean
      /** Of the HTTP response, if the provider sent one. */
      status?: number
      retryAfterMilliseconds?: number
    }
