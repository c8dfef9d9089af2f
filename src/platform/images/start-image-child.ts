import { type ChildProcess, fork } from 'node:child_process'
import type { ImageLimits } from '../limits/images.ts'
import type { ImageFailure, ImageMessage, ImageRequest, ImageResult } from './image-messages.ts'

export type ImageChild = {
  pid: number | undefined
  isRunning(): boolean
  process(request: ImageRequest, signal?: AbortSignal): Promise<ImageResult>
  kill(): void
}

/** Nothing of the service's environment, which contains secrets. libvips reads the first one, glibc the last one. */
const environment = { VIPS_BLOCK_UNTRUSTED: '1', UV_THREADPOOL_SIZE: '1', MALLOC_ARENA_MAX: '1' }
const flags = ['--disable-warning=ExperimentalWarning', '--max-old-space-size=64']

/** Starts the process. Returns the reason if it cannot decode images. */
export async function startImageChild(
  limits: ImageLimits,
  signal?: AbortSignal,
): Promise<ImageChild | ImageFailure> {
  const child = fork(new URL('./image-child.ts', import.meta.url), {
    env: environment,
    execArgv: flags,
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  // Neither an idle process nor its channel keeps the service running.
  child.unref()
  child.channel?.unref()
  const first = await nextMessage(child, limits.startMilliseconds, signal)
  if (first !== 'started') {
    child.kill('SIGKILL')
    return first.outcome === 'failed' ? first.reason : 'crashed'
  }
  return {
    pid: child.pid,
    isRunning: () => child.exitCode === null && child.signalCode === null && !child.killed,
    kill: () => child.kill('SIGKILL'),
    async process(request, abort) {
      const result = nextMessage(child, limits.imageMilliseconds, abort)
      child.send(request, () => {})
      const message = await result
      if (message === 'started') throw new Error('the image process started twice')
      if (message.outcome === 'failed' && isOverLimit(message.reason)) child.kill('SIGKILL')
      return message
    },
  }
}

/** The decoder is still running. */
function isOverLimit(reason: ImageFailure): boolean {
  return reason === 'too_slow' || reason === 'too_much_memory'
}

/** The next message, or why there is none. If the signal aborts, the process is killed. */
function nextMessage(child: ChildProcess, milliseconds: number, signal?: AbortSignal): Promise<ImageMessage> {
  signal?.throwIfAborted()
  return new Promise((resolve, reject) => {
    const stopListening = () => {
      clearTimeout(timer)
      child.off('message', onMessage).off('exit', onEnd).off('error', onEnd)
      signal?.removeEventListener('abort', onAbort)
    }
    const onMessage = (message: ImageMessage) => {
      stopListening()
      resolve(message)
    }
    const onEnd = () => onMessage({ outcome: 'failed', reason: 'crashed' })
    const onAbort = () => {
      stopListening()
      child.kill('SIGKILL')
      reject(signal?.reason)
    }
    const timer = setTimeout(() => onMessage({ outcome: 'failed', reason: 'too_slow' }), milliseconds)
    child.on('message', onMessage).on('exit', onEnd).on('error', onEnd)
    signal?.addEventListener('abort', onAbort)
  })
}
