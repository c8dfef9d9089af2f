import type { Follows } from '../src/platform/response-store/project-entries.ts'
import { openResponseStore } from '../src/platform/response-store/response-store.ts'
import { mebibyte } from '../src/platform/units.ts'

// Prints the memory that stored responses use, divided by what the store counts. Run it in its own process with --expose-gc.

const shared = { route: { url: '', config: {} }, contentType: 'application/json', cacheControl: 'no-cache' }
// A store that is collected during a later measurement would reduce its result.
const stores: unknown[] = []

function measureHeap(): number {
  if (globalThis.gc === undefined) throw new Error('run this with --expose-gc')
  globalThis.gc()
  return process.memoryUsage().heapUsed
}

function measureRatio(followed: (id: number) => Follows, hasHint = false): number {
  const before = measureHeap()
  const store = openResponseStore(10 * mebibyte)
  stores.push(store)
  for (let id = 10_000; id < 30_000; id += 1) {
    const key = `http://127.0.0.1:3000/v2/products/${id}`
    const body = Buffer.alloc(600, String(id)).toString('latin1')
    const hint = hasHint ? Buffer.alloc(600, `${id} hint`).toString('latin1') : undefined
    const tag = `"1-${String(id).padEnd(22, '-')}"`
    const create = () => ({ body, tag, hint, compressed: undefined, shared })
    store.offer(1, { key, bytes: body.length, follows: followed(id), create })
  }
  return (measureHeap() - before) / store.bytes()
}

const follow = (...objects: number[]): Follows => ({ objects, anyProduct: false })
const half = (id: number) => Math.floor(id / 2)

console.log(
  JSON.stringify({
    details: measureRatio((id) => follow(id)),
    'details in two languages': measureRatio((id) => follow(half(id))),
    variants: measureRatio((id) => follow(id, 1_000_000 + (id % 1_000))),
    bundles: measureRatio((id) => follow(id, 10 * id, 10 * id + 1, 10 * id + 2)),
    'bundles in two languages': measureRatio((id) =>
      follow(half(id), ...[1, 2, 3].map((n) => n + id - (id % 2))),
    ),
    lists: measureRatio(() => 'everything'),
    'lists with hints': measureRatio(() => 'everything', true),
  }),
)
