import { AwsV4Signer } from 'aws4fetch'
import { fileStoreLimits } from '../limits/files.ts'
import { doublingPauses, retry } from '../scheduling/retry.ts'
import { FileStoreFailure } from './file-store.ts'
import type { S3Address } from './s3-address.ts'

export type S3Keys = { accessKey: string; secretKey: string }

export type S3Request = {
  method: 'GET' | 'HEAD' | 'PUT' | 'DELETE'
  url: string
  headers?: Record<string, string>
  body?: Blob
}

/** Sends signed requests, and repeats them if the store fails. Every request can be repeated: no object ever changes. */
export function s3Requests({ bucket, region }: S3Address, { accessKey, secretKey }: S3Keys) {
  const place = `the S3 bucket ${bucket}`

  async function attempt({ method, url, headers = {}, body }: S3Request): Promise<Response> {
    const signer = new AwsV4Signer({
      ...{ method, url, headers, region, service: 's3' },
      ...{ accessKeyId: accessKey, secretAccessKey: secretKey },
    })
    const signed = await signer.sign()
    // The signer would read the body to hash it, so it gets only the hash, and the request gets the body.
    const response = await withinTime((signal) =>
      fetch(signed.url, {
        ...{ method, headers: signed.headers, redirect: 'error', signal },
        ...(body !== undefined && { body }),
      }),
    )
    if (response.status < 500 && response.status !== 429) return response
    await response.body?.cancel()
    throw new Error(`it returned ${response.status}`)
  }

  return (request: S3Request): Promise<Response> =>
    retry(
      {
        attempts: fileStoreLimits.attempts,
        pauses: doublingPauses(fileStoreLimits.pauseMilliseconds, fileStoreLimits.longestPauseMilliseconds),
        jitter: fileStoreLimits.pauseJitter,
        isRetryable: () => true,
        exhausted: (error) => new FileStoreFailure(place, reasonOf(error)),
      },
      () => attempt(request),
    )
}

/** Until the response begins. Its body is read at the pace of the client. */
async function withinTime(work: (signal: AbortSignal) => Promise<Response>): Promise<Response> {
  const overdue = new AbortController()
  const timer = setTimeout(
    () => overdue.abort(new Error('it did not respond in time')),
    fileStoreLimits.requestMilliseconds,
  )
  return work(overdue.signal).finally(() => clearTimeout(timer))
}

/** `fetch` hides the reason in the cause. */
function reasonOf(error: unknown): unknown {
  return error instanceof TypeError && error.cause instanceof Error ? error.cause : error
}
