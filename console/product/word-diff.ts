import { diffWordsWithSpace } from 'diff'

export type Part = { text: string; kind: 'same' | 'removed' | 'added'; isCut?: boolean }

const mostMilliseconds = 150
const longestSame = 160
const keptAround = 50
const longestChanged = 600

/** Words that went and came. Texts that differ too much to say in time are told as a whole. */
export function diffWords(before: string, after: string): Part[] {
  const changes = diffWordsWithSpace(before, after, { timeout: mostMilliseconds })
  if (changes === undefined)
    return [
      { text: before, kind: 'removed' },
      { text: after, kind: 'added' },
    ]
  return changes.map(({ value, added, removed }) => ({
    text: value,
    kind: added ? 'added' : removed ? 'removed' : 'same',
  }))
}

/** The parts with long stretches that did not change left out, and only the beginning of long ones that did. */
export function foldParts(parts: Part[]): Part[] {
  return parts.flatMap((part, index): Part[] => {
    if (part.kind !== 'same')
      return part.text.length <= longestChanged
        ? [part]
        : [{ ...part, text: `${part.text.slice(0, longestChanged)} …` }]
    if (part.text.length <= longestSame) return [part]
    const begin = index === 0 ? '' : part.text.slice(0, keptAround)
    const end = index === parts.length - 1 ? '' : part.text.slice(-keptAround)
    return [
      { text: begin, kind: 'same' },
      { text: ' … ', kind: 'same', isCut: true },
      { text: end, kind: 'same' },
    ]
  })
}
