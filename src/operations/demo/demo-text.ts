import type { Random } from './random.ts'

type Texts = { text: string; details: readonly string[]; closings: readonly string[] }

/** The sentences of a description: its own, one or two details, and for half of the products a closing. */
export function sentencesOf({ text, details, closings }: Texts, random: Random): string[] {
  const more = random.shuffled(details).slice(0, random.between(1, 2))
  return [text, ...more, ...(random.chance(0.5) ? [random.pick(closings)] : [])]
}

export function filled(text: string, words: Record<string, string>): string {
  return text.replace(/\{(\w+)\}/g, (_, name: string) => words[name] ?? '')
}

export function titleCase(text: string): string {
  return text.replace(/^[a-z]|\s(?!(?:and|on|the)\b)[a-z]/g, (letter) => letter.toUpperCase())
}

/** One, two or three. */
export function either(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`
}

export function pathsOf(places: readonly string[]): { path: string[] }[] {
  return places.map((place) => ({ path: place.split('/') }))
}

export function skuOf(prefix: string, number: number): string {
  return `${prefix}-${String(number).padStart(4, '0')}`
}
