import { assetTypes, isAssetMime } from '../../../src/model/assets/asset-types.ts'
import { assetLimits } from '../../../src/model/limits/assets.ts'
import { ProblemError, sendFile } from '../../network.ts'
import type { Asset } from '../../wire.ts'
import { limitConcurrency } from '../concurrency.ts'
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
export function uploadFile(project: number, file: File, options: Options): Promise<Asset> {
  return inTurn(async () => {
    const sent = { body: file, type: await declaredType(file) }
    for (let attempt = 1; ; attempt += 1) {
      options.signal.throwIfAborted()
      options.progress(0)
      try {
        return await sendFile<Asset>(path(project), sent, { ...options, waitSeconds })
      } catch (error) {
        const pause = pauseAfter(error)
        if (pause === undefined || attempt === mostAttempts) throw error
        await elapsed(pause, options.signal)
      }
    }
  })
}

function pauseAfter(error: unknown): number | undefined {
  if (!(error instanceof ProblemError) || error.code !== 'too_busy') return undefined
  return Math.min(longestPauseSeconds, error.retryAfterSeconds || 1)
}

function elapsed(seconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, seconds * 1_000)
    const stop = () => {
      clearTimeout(timer)
      resolve()
    }
    signal.addEventListener('abort', stop, { once: true })
  })
}

/** Why the service would refuse the file, so that it is not sent. */
export function refusal(file: File): string | undefined {
  if (!isAssetMime(file.type)) return strings.errors.unsupported_media_type
  return file.size > assetLimits.bytes ? strings.errors.body_too_large : undefined
}

/** Not if the service rejects the file itself: it was erased, is too large, or has an unsupported type or content. */
export function canSucceedLater(error: unknown): boolean {
  return !(error instanceof ProblemError && [410, 413, 415, 422].includes(error.status))
}

/** What the user can do about it. Other errors have messages for users. */
export function uploadError(error: Error): string {
  const code = error instanceof ProblemError ? error.code : ''
  return strings.errors[code] ?? error.message
}
