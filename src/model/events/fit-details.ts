import { recordedEventLimits } from '../limits/events.ts'

export type Details = { before: object | null; after: object | null }

const { detailBytes: maxBytes } = recordedEventLimits
/** Room for the names of the omitted fields, on both sides. */
const roomForNames = 500

/** If before and after are too large in total, omits their largest fields and lists them in `left_out`. */
export function fitDetails(details: Details): Details {
  const bytes = bytesOf(details)
  if (bytes <= maxBytes) return details
  const sides = [details.before, details.after]
  const sizes = new Map<string, number>()
  for (const [name, value] of sides.flatMap((side) => Object.entries(side ?? {})))
    sizes.set(name, (sizes.get(name) ?? 0) + bytesOf(value))
  const leftOut = new Set<string>()
  let left = bytes + roomForNames
  for (const [name, size] of [...sizes].sort(([, one], [, other]) => other - one)) {
    if (left <= maxBytes) break
    leftOut.add(name)
    left -= size
  }
  const fitted = (side: object | null) =>
    side && {
      ...Object.fromEntries(Object.entries(side).filter(([name]) => !leftOut.has(name))),
      left_out: [...leftOut],
    }
  return { before: fitted(details.before), after: fitted(details.after) }
}

function bytesOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value) ?? '')
}
