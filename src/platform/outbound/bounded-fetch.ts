import { outboundLimits } from '../limits/network.ts'

type Init = {
  method?: string
  headers?: Record<string, string>
  body?: unknown
  signal?: AbortSignal | undefined
}

/**
 * For a server that the operator configures, also in a private network: follows no redirects, and is limited in time and bytes.
 * The URL is not checked here.
 */
export async function boundedFetch(url: string, { signal, ...init }: Init): Promise<Response> {
  const late = AbortSignal.timeout(outboundLimits.providerMilliseconds)
  const response = await fetch(url, {
    ...(init as RequestInit),
    redirect: 'manual',
    signal: signal === undefined ? late : AbortSignal.any([signal, late]),
  })
  const { status, headers } = response
  const body = await readLimited(response)
  return new Response(hasNoBody(status) ? null : body, { status, headers })
}

async function readLimited(response: Response): Promise<Buffer> {
  const parts: Uint8Array[] = []
  let bytes = 0
  for await (const part of response.body ?? []) {
    bytes += part.length
    if (bytes > outboundLimits.providerBytes) throw new Error('the response is too large')
    parts.push(part)
  }
  return Buffer.concat(parts)
}

function hasNoBody(status: number): boolean {
  return status === 204 || status === 304
}
