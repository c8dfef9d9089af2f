import { type ImageLimits, imageLimits } from '../limits/images.ts'
import { limitConcurrency } from '../scheduling/concurrency-limit.ts'
import type { ImageFailure, ImageRequest, ImageResult } from './image-messages.ts'
import { type ImageChild, startImageChild } from './start-image-child.ts'

export type ImageProcess = {
  /**
   * Writes `<size>.webp` into an existing folder. Callers wait for their turn. If the signal aborts, the promise rejects
   * with its reason.
   */
  makeThumbnails(image: Omit<ImageRequest, 'limits'>, signal?: AbortSignal): Promise<ImageResult>
  /** Why this installation cannot make thumbnails; undefined if it can. */
  findProblem(): Promise<ImageFailure | undefined>
  /** The ID of the running process. */
  processId(): number | undefined
  /** Ends the process. The image in progress fails as `crashed`. */
  close(): void
}

/** One process that decodes images one after another. It starts with the first image and ends when idle. */
export function openImageProcess(limits: ImageLimits = imageLimits): ImageProcess {
  const turns = limitConcurrency({ most: 1, maxWaitSeconds: 0 })
  let child: ImageChild | undefined
  let idle: NodeJS.Timeout | undefined

  function end(): void {
    clearTimeout(idle)
    child?.kill()
    child = undefined
  }

  async function running(signal?: AbortSignal): Promise<ImageChild | ImageFailure> {
    if (child?.isRunning() === true) return child
    const started = await startImageChild(limits, signal)
    if (typeof started !== 'string') child = started
    return started
  }

  /** One caller at a time, and the idle time starts again after each. */
  function use<Result>(work: () => Promise<Result>, signal?: AbortSignal): Promise<Result> {
    const timed = async () => {
      clearTimeout(idle)
      try {
        return await work()
      } finally {
        idle = setTimeout(end, limits.idleMilliseconds).unref()
      }
    }
    return turns.run(timed, undefined, signal)
  }

  return {
    makeThumbnails: (image, signal) =>
      use(async () => {
        const started = await running(signal)
        if (typeof started === 'string') return { outcome: 'failed', reason: started }
        return started.process({ ...image, limits }, signal)
      }, signal),
    findProblem: () =>
      use(async () => {
        const started = await running()
        return typeof started === 'string' ? started : undefined
      }),
    processId: () => (child?.isRunning() === true ? child.pid : undefined),
    close: end,
  }
}
