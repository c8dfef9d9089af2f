import { lazyRouteComponent } from '@tanstack/react-router'
import { readCode } from '../network.ts'

const pages: (() => Promise<unknown> | undefined)[] = []
const pauseMilliseconds = 6_000

// biome-ignore lint/suspicious/noExplicitAny: a module has exports of every type
export function lazyPage<Code extends Record<string, any>, Name extends keyof Code>(
  load: () => Promise<Code>,
  name: Name,
) {
  const page = lazyRouteComponent(() => readCode(load), name)
  pages.push(() => page.preload?.())
  return page
}

/** Code that any page can load on demand. */
export function lazyPart<Code>(load: () => Promise<Code>): () => Promise<Code> {
  const part = () => readCode(load)
  pages.push(part)
  return part
}

/**
 * Preloads the code of all pages after the first page was open for a while, so that they open immediately, and offline.
 * Respects the data saver of the browser.
 */
export function loadPagesWhenIdle(): () => void {
  const timer = setTimeout(async () => {
    const { connection } = navigator as { connection?: { saveData?: boolean } }
    if (connection?.saveData === true || !navigator.onLine) return
    for (const load of pages) await Promise.resolve(load()).catch(() => {})
  }, pauseMilliseconds)
  return () => clearTimeout(timer)
}
