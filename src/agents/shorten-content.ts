import type { Content } from './tool.ts'
import { fits } from './tool-result.ts'

/** Characters per text and items per list. A product can have thousands of short values, so both become smaller. */
const steps = [
  { characters: 8_000, items: 500 },
  { characters: 4_000, items: 200 },
  { characters: 2_000, items: 100 },
  { characters: 1_000, items: 50 },
  { characters: 500, items: 30 },
  { characters: 200, items: 20 },
  { characters: 100, items: 10 },
  { characters: 50, items: 3 },
]
type Step = (typeof steps)[number]

/** Entries of `shortened`. */
const shownPlaces = 100

/**
 * Shortens long texts and lists until the response fits. `shortened` lists where, so that the client does not mistake a part for the
 * whole.
 */
export function shortened(content: Content): Content {
  if (fits(content)) return content
  let longest: Content = { ...content, untrusted: {}, shortened: [''] }
  // A binary search, because content can be large.
  for (let [low, high] = [0, steps.length]; low < high; ) {
    const middle = (low + high) >> 1
    const shorter = shortenedBy(content, steps[middle] as Step)
    if (fits(shorter)) [longest, high] = [shorter, middle]
    else low = middle + 1
  }
  return longest
}

function shortenedBy(content: Content, step: Step): Content {
  const places = new Set<string>()
  const untrusted = cut(content.untrusted, step, [], places) as Content['untrusted']
  return { ...content, untrusted, shortened: [...places].slice(0, shownPlaces) }
}

/** `path` contains the keys down to the value. */
function cut(value: unknown, step: Step, path: string[], places: Set<string>): unknown {
  if (typeof value === 'string') {
    if (value.length <= step.characters) return value
    places.add(ownPlace(path))
    return `${value.slice(0, step.characters).toWellFormed()}…`
  }
  if (typeof value !== 'object' || value === null) return value
  const isList = Array.isArray(value) || maps.has(path.at(-1) ?? '')
  const entries = Object.entries(value)
  if (isList && entries.length > step.items) places.add(ownPlace(path))
  const kept = (isList ? entries.slice(0, step.items) : entries).map(([key, inner]): [string, unknown] => {
    path.push(key)
    const shorter = cut(inner, step, path, places)
    path.pop()
    return [key, shorter]
  })
  return Array.isArray(value) ? kept.map(([, inner]) => inner) : Object.fromEntries(kept)
}

/** Objects whose keys are names that people chose. */
const namedByPeople = ['attributes', 'labels', 'links', 'provenance', 'values', 'variables']
/** Objects with one entry per name or per changed field, which can have hundreds of entries. */
const maps = new Set([...namedByPeople, 'changes'])

const ownKey = /^([a-z]+(_+[a-z]+)*|\d+)$/

/** The pointer to a value, up to the first name that people chose: the place of an attribute is that of all attributes. */
export function ownPlace(keys: readonly string[]): string {
  const isName = (key: string, index: number) =>
    !ownKey.test(key) || namedByPeople.includes(keys[index - 1] ?? '')
  const first = keys.findIndex(isName)
  return (first === -1 ? keys : keys.slice(0, first)).map((key) => `/${key}`).join('')
}
