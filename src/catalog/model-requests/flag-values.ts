import { hash } from 'node:crypto'
import { readViewPath } from '../../model/fields/view-paths.ts'
import { type LineFlag, lineFlags } from '../proposals/proposal.schema.ts'
import type { WrittenValues } from './read-response.ts'
import { writableTexts } from './written-fields.ts'

export type Source = {
  /** The prompt with its values. */
  text: string
  /** The values of the product that fill the prompt. */
  productValues: readonly string[]
  /** Whether the response ended at its token limit. */
  isCut: boolean
}

/** The flags of one response. `same_text` needs all lines: see repeatedTexts. */
export function flagValues(
  values: WrittenValues,
  { text: source, productValues, isCut }: Source,
): LineFlag[] {
  const written = Object.values(values).flatMap((value) => (value === null ? [] : [value].flat().map(String)))
  const texts = Object.values(values).flatMap((value) => (typeof value === 'string' ? value : []))
  const numbers = numbersOf(source)
  const links = new Set(linksOf(source))
  const markup = new Set(markupOf(source))
  const found: Record<Exclude<LineFlag, 'same_text'>, boolean> = {
    number_not_in_source: written.some((value) => hasNewNumber(value, numbers)),
    new_link: written.some((value) => linksOf(value).some((link) => !links.has(link))),
    new_markup: texts.some((value) => markupOf(value).some((mark) => !markup.has(mark))),
    source_copied: texts.some((value) => isCopied(value, productValues)),
    cut: isCut,
    refused: texts.some((value) => refusal.test(value)),
  }
  return lineFlags.filter((flag) => flag !== 'same_text' && found[flag])
}

const numeral = /\d+(?:[.,'’ \u00a0\u202f]\d+)*/g

/** The numbers of a text in their possible readings: 1.000 is one thousand or one. */
function numbersOf(text: string): Set<string> {
  return new Set(Array.from(text.matchAll(numeral), ([number]) => readings(number)).flat())
}

function hasNewNumber(text: string, known: ReadonlySet<string>): boolean {
  return Array.from(text.matchAll(numeral)).some(
    ([number]) => !readings(number).some((one) => known.has(one)),
  )
}

/** A number that is written in parts, such as 12 345, also names its parts. */
function readings(number: string): string[] {
  const parts = number.split(/[^\d]/)
  const whole = withoutZeros(parts.join(''))
  if (parts.length === 1) return [whole]
  const last = parts.at(-1) as string
  const decimal = `${withoutZeros(parts.slice(0, -1).join(''))}.${last}`.replace(/\.?0+$/, '')
  const isGrouped = parts.slice(1).every((part) => part.length === 3)
  return [...(isGrouped ? [whole] : []), decimal, ...(/\s/.test(number) ? parts.map(withoutZeros) : [])]
}

function withoutZeros(digits: string): string {
  return digits.replace(/^0+(?=\d)/, '')
}

const link = /\b(?:https?:\/\/|www\.)[^\s<>"')\]]+/gi

function linksOf(text: string): string[] {
  return Array.from(text.matchAll(link), ([found]) => found.toLowerCase().replace(/[.,;:!?/]+$/, ''))
}

const mark = /<\/?([a-z][a-z0-9]*)\b[^<>]*>|(\*\*|__)(?=\S)|^(#{1,6}) |\[[^\]\n]+\](\()|(```)/gim

function markupOf(text: string): string[] {
  return Array.from(text.matchAll(mark), ([, ...kinds]) => (kinds.find((kind) => kind) ?? '').toLowerCase())
}

/** Any copy of at least twice this length contains one of the compared slices. */
const sliceLength = 120
const shortestCopy = 40
const maxComparedLength = 20_000

/** Whether a text is a value of the product, or contains a long part of one. */
function isCopied(text: string, values: readonly string[]): boolean {
  const written = oneLine(text).slice(0, maxComparedLength)
  if (written.length < shortestCopy) return false
  const sources = values.map(oneLine)
  if (sources.some((source) => source.includes(written))) return true
  for (let at = 0; at + sliceLength <= written.length; at += sliceLength) {
    const slice = written.slice(at, at + sliceLength)
    if (sources.some((source) => source.includes(slice))) return true
  }
  return false
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim()
}

const refusal =
  /^\W*(?:i['’]?m (?:very )?sorry|i am (?:very )?sorry|sorry,|i (?:can(?:no|['’])t|cannot|can not|am unable|am not able|won['’]t)\b|i['’]m (?:unable|not able)|as an ai\b|as a language model|unfortunately, i |es tut mir leid|tut mir leid|leider kann ich|ich kann (?:leider|nicht|keine))/i

/** The texts of a line, so that lines with the same text can be found without keeping the texts. Short values are often the same. */
export function textKeys(values: WrittenValues): string[] {
  return Object.entries(values).flatMap(([field, value]) => {
    const plain = readViewPath(field)?.field ?? field
    const isText = (writableTexts as readonly string[]).includes(plain) && typeof value === 'string'
    return isText ? `${field} ${hash('sha256', oneLine(value).toLowerCase())}` : []
  })
}

/** The texts that several lines have. */
export function repeatedTexts(keysOfLines: readonly (readonly string[])[]): Set<string> {
  const seen = new Set<string>()
  const repeated = new Set<string>()
  for (const key of keysOfLines.flat()) {
    if (seen.has(key)) repeated.add(key)
    seen.add(key)
  }
  return repeated
}
