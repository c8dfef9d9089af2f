import { flushCompileCache } from 'node:module'
import { setFlagsFromString } from 'node:v8'

/**
 * Left to its own, the heap would double before old garbage is collected, and a large push makes much of it. The limit is set after
 * the start: an option of the process would make Node compile its own modules anew, since V8 keeps compiled code by its flags.
 * For the same reason compiled code is kept first, and not only at the end, which a process that is killed never sees.
 */
export function limitHeapGrowth(): void {
  flushCompileCache()
  setFlagsFromString('--heap-growing-percent=40')
}
