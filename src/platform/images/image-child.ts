import { writeFileSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import type { ImageLimits } from '../limits/images.ts'
import type { ImageFailure, ImageMessage, ImageRequest } from './image-messages.ts'

/*
 * The process that decodes images, so that a decoder can neither crash the service nor keep its memory. Only this process loads
 * sharp. It has no secrets in its environment and processes one image at a time.
 */

// Waiting for a decoder that runs would keep this process after the service.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))
yieldToService()

try {
  const { makeThumbnails, restrictDecoders } = await import('./make-thumbnails.ts')
  restrictDecoders()
  process.on('message', (request: ImageRequest) => {
    const stopWatching = watchUse(request.limits)
    makeThumbnails(request)
      .catch((): ImageMessage => ({ outcome: 'failed', reason: 'unreadable' }))
      .then((result) => {
        stopWatching()
        send(result)
      })
  })
  send('started')
} catch {
  send({ outcome: 'failed', reason: 'unavailable' })
}

function send(message: ImageMessage): void {
  process.send?.(message)
}

/** Decoders run in another thread, so this one is free to report that they use too much. The service then kills the process. */
function watchUse({ residentBytes, processorMilliseconds, checkMilliseconds }: ImageLimits): () => void {
  const before = process.cpuUsage()
  const timer = setInterval(() => {
    const { user, system } = process.cpuUsage(before)
    let reason: ImageFailure | undefined
    if (process.memoryUsage.rss() > residentBytes) reason = 'too_much_memory'
    else if ((user + system) / 1000 > processorMilliseconds) reason = 'too_slow'
    if (reason === undefined) return
    clearInterval(timer)
    send({ outcome: 'failed', reason })
  }, checkMilliseconds)
  return () => clearInterval(timer)
}

/**
 * Requests take precedence over thumbnails. If the machine runs out of memory, the system ends this process first. Not every system
 * allows or knows both.
 */
function yieldToService(): void {
  attempt(() => setPriority(constants.priority.PRIORITY_BELOW_NORMAL))
  attempt(() => writeFileSync('/proc/self/oom_score_adj', '1000'))
}

function attempt(step: () => void): void {
  try {
    step()
  } catch {
    // Thumbnails do not depend on it.
  }
}
