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

/** Code that something on every page needs once somebody asks for it. */
export function lazyPart<Code>(load: () => Promise<Code>): () => Promise<Code> {
  const part = () => readCode(load)
  pages.push(part)
  return part
}

/**
 * Loads the code of the other pages once the reader has looked at the first one for a while: a page that is opened offline then shows
 * what it has, and one that is opened online is there at once. Not where every byte is counted.
 */
export function loadPagesWhenIdle(): () => void {
  const timer = setTimeout(async () => {
    const { connection } = navigator as { connection?: { saveData?: boolean } }
    if (connection?.saveData === true || !navigator.onLine) return
    for (const load of pages) await Promise.resolve(load()).catch(() => {})
  }, pauseMilliseconds)
  return () => clearTimeout(timer)
}
