import { assetTypes, isAssetMime } from '../../../src/model/assets/asset-types.ts'
import { assetLimits } from '../../../src/model/limits/assets.ts'
import { ProblemError, sendFile } from '../../network.ts'
import type { Asset } from '../../wire.ts'
import { limitConcurrency } from '../concurrency.ts'
import { withRetries } from '../retry.ts'
import { declaredType } from './declared-type.ts'
import { strings } from './strings.ts'

/** For the file dialog of the browser. */
export const acceptedTypes = Object.keys(assetTypes).join(',')

const path = (project: number) => `/console/api/projects/${project}/assets`
const waitSeconds = 600
const mostAttempts = 5
const longestPauseSeconds = 10

/** As many as the service accepts per project. */
const inTurn = limitConcurrency(assetLimits.uploadsOfProject)

type Options = { signal: AbortSignal; progress: (share: number) => void }

/** Uploads a file when its turn comes, and again if the service is busy. Repeating an upload changes nothing. */
export function uploadFile(project: number, file: File, { signal, progress }: Options): Promise<Asset> {
  return inTurn(async () => {
    const sent = { body: file, type: await declaredType(file) }
    const send = () => {
      signal.throwIfAborted()
      progress(0)
      return sendFile<Asset>(path(project), sent, { signal, progress, waitSeconds })
    }
    return withRetries(send, { pauseAfter, signal })
  })
}

function pauseAfter(error: unknown, attempt: number): number | undefined {
  if (!(error instanceof ProblemError) || error.code !== 'too_busy' || attempt === mostAttempts)
    return undefined
  return Math.min(longestPauseSeconds, error.retryAfterSeconds || 1)
}

/** Why the service would refuse the file, so that it is not sent. */
export function refusal(file: File): string | undefined {
  if (!isAssetMime(file.type)) return strings.errors.unsupported_media_type
  return file.size > assetLimits.bytes ? strings.errors.body_too_large : undefined
}

const fileErrors = [
  ...['unsupported_media_type', 'body_too_large', 'type_mismatch', 'too_many_pixels'],
  'asset_erased',
]

/** Whether the service rejects this file, now and later. After any other error, the next file would fail too. */
export function isAboutFile(error: unknown): boolean {
  return error instanceof ProblemError && fileErrors.includes(error.code)
}

/** What the user can do about it. Other errors have messages for users. */
export function uploadError(error: Error): string {
  const code = error instanceof ProblemError ? error.code : ''
  return strings.errors[code] ?? error.message
}
