import { diffWordsWithSpace } from 'diff'

type Kind = 'same' | 'added' | 'removed'
/** A part of two texts: in both, only added or only removed. */
export type Part = { kind: Kind; text: string }

const longestMilliseconds = 60

/** After a timeout, very different texts are shown as fully removed and added. */
export function compareWords(before: string, after: string, timeout = longestMilliseconds): Part[] {
  return joined(differingWords(before, after, timeout))
}

/** Every word and space, so that the parts of each side are its complete text. */
export function differingWords(before: string, after: string, timeout = longestMilliseconds): Part[] {
  const found = diffWordsWithSpace(before, after, { timeout })
  const parts: Part[] = found?.map(({ value, added, removed }) => ({
    kind: added ? 'added' : removed ? 'removed' : 'same',
    text: value,
  })) ?? [
    { kind: 'removed', text: before },
    { kind: 'added', text: after },
  ]
  return parts.filter(({ text }) => text !== '')
}

/** Joins changes that are separated only by spaces. */
function joined(parts: Part[]): Part[] {
  const result: Part[] = []
  let run: Part[] = []
  const endRun = () => {
    for (const kind of ['removed', 'added'] as const)
      if (run.some((part) => part.kind === kind)) result.push({ kind, text: sideOf(run, kind) })
    run = []
  }
  for (const [index, part] of parts.entries()) {
    const isSpace = part.text.trim() === '' && run.length > 0 && index < parts.length - 1
    if (part.kind !== 'same' || isSpace) run.push(part)
    else {
      endRun()
      result.push(part)
    }
  }
  endRun()
  return result
}

function sideOf(run: Part[], side: Kind): string {
  const own = run.filter(({ kind }) => kind === side || kind === 'same')
  return own.map(({ text }) => text).join('')
}

const around = 60
const longestChange = 320

/** Shortens a long part. Returns the same object if nothing is left out. */
export function foldPart(part: Part, index: number, { length }: Part[]): Part {
  const { kind, text } = part
  if (kind !== 'same')
    return text.length <= longestChange ? part : { kind, text: `${text.slice(0, longestChange)}…` }
  // Whole words only, unless a word is longer than the context.
  const start = index === 0 ? '' : text.slice(0, around).replace(/(?<=\s)\S*$/, '')
  const end = index === length - 1 ? '' : text.slice(-around).replace(/^\S*(?=\s)/, '')
  return text.length <= start.length + end.length + around
    ? part
    : { kind, text: `${start.trimEnd()} … ${end.trimStart()}` }
}
