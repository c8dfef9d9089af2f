import { flushCompileCache } from 'node:module'
import { setFlagsFromString } from 'node:v8'

/**
 * Without a limit, the heap doubles before V8 collects old garbage, and a large push creates a lot of it.
 * V8 caches compiled code per set of flags. Set as a process option, the flag would make Node recompile its own modules, so it is
 * set after the start, and the cache is flushed first: a killed process never reaches the flush at exit.
 */
export function limitHeapGrowth(): void {
  flushCompileCache()
  setFlagsFromString('--heap-growing-percent=40')
}
