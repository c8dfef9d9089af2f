import { requestLimits } from '../../limits/requests.ts'
import { responseLimits } from '../../limits/responses.ts'
import type { BodyError } from '../problems.ts'

/** Thrown for content that no body can have, regardless of its schema. */
export class UnacceptableJson extends Error {}

const maxPointerKeyCharacters = 200

type Container = { keys: Set<string> | undefined; key: string; index: number }

/**
 * Scans text that JSON.parse has accepted for what JSON.parse hides: duplicate keys, depth, numbers that a double cannot
 * represent exactly, and text that PostgreSQL cannot store.
 */
export function scanJson(text: string, maxMembers: number = requestLimits.members): BodyError[] {
  const errors: BodyError[] = []
  const stack: Container[] = []
  // Only an escape can represent text that PostgreSQL cannot store: all other text is UTF-8 without control characters.
  const hasEscapes = text.includes('\\')
  let expectsKey = false
  for (let at = 0; at < text.length && errors.length < responseLimits.errors; ) {
    const character = text[at] as string
    if (character === '"') {
      const end = hasEscapes ? endOfString(text, at) : text.indexOf('"', at + 1) + 1
      if (expectsKey || hasEscapes) {
        const value = decode(text.slice(at, end))
        if (expectsKey) takeKey(stack, value)
        if (!value.isWellFormed() || value.includes('\0')) errors.push(textError(pointerOf(stack)))
      }
      expectsKey = false
      at = end
    } else if (character === '{' || character === '[') {
      if (stack.length === requestLimits.levels)
        throw new UnacceptableJson(`The JSON is nested deeper than ${requestLimits.levels} levels.`)
      stack.push({ keys: character === '{' ? new Set() : undefined, key: '', index: 0 })
      expectsKey = character === '{'
      at += 1
    } else if (character === '}' || character === ']') {
      stack.pop()
      expectsKey = false
      at += 1
    } else if (character === ',') {
      const container = stack.at(-1) as Container
      expectsKey = container.keys !== undefined
      container.index += 1
      if (container.index === maxMembers)
        throw new UnacceptableJson(`An object or array has more than ${maxMembers} members.`)
      at += 1
    } else if (character === '-' || (character >= '0' && character <= '9')) {
      const end = endOfNumber(text, at)
      if (!isExact(text.slice(at, end))) errors.push(numberError(pointerOf(stack)))
      at = end
    } else {
      at += 1
    }
  }
  return errors
}

function endOfString(text: string, start: number): number {
  let at = start + 1
  while (text[at] !== '"') at += text[at] === '\\' ? 2 : 1
  return at + 1
}

function endOfNumber(text: string, start: number): number {
  let at = start + 1
  while (at < text.length && '0123456789+-.eE'.includes(text[at] as string)) at += 1
  return at
}

function decode(literal: string): string {
  return literal.includes('\\') ? (JSON.parse(literal) as string) : literal.slice(1, -1)
}

function takeKey(stack: Container[], key: string): void {
  const container = stack.at(-1) as Container
  if (container.keys?.has(key))
    throw new UnacceptableJson(`The key ${JSON.stringify(key)} appears twice in one object.`)
  container.keys?.add(key)
  container.key = key
}

const plainNumber = /^\d+(\.\d+)?$/

/** True if the double equals the number in the text: it does for 1.50, but not for 0.10000000000000000001. */
export function isExact(literal: string): boolean {
  // Fifteen digits fit every double.
  if (literal.length <= 15 && plainNumber.test(literal)) return true
  // -0 is printed as 0, and infinity has no digits: neither equals the input.
  return canonical(String(Number(literal))) === canonical(literal)
}

/** Digits and exponent without leading or trailing zeros, so that 1.50, 1.5 and 15e-1 are equal. */
function canonical(literal: string): string {
  const [mantissa = '', exponent = '0'] = literal.toLowerCase().split('e')
  const sign = mantissa.startsWith('-') ? '-' : ''
  const [whole = '', fraction = ''] = mantissa.replace('-', '').split('.')
  const digits = (whole + fraction).replace(/^0+/, '')
  const significant = digits.replace(/0+$/, '')
  if (significant === '') return `${sign}0`
  const power = Number(exponent) - fraction.length + (digits.length - significant.length)
  return `${sign}${significant}e${power}`
}

function pointerOf(stack: readonly Container[]): string {
  return stack
    .map(
      ({ keys, key, index }) =>
        `/${keys === undefined ? index : escapePointer(key.slice(0, maxPointerKeyCharacters).toWellFormed())}`,
    )
    .join('')
}

export function escapePointer(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1')
}

function textError(pointer: string): BodyError {
  return { pointer, code: 'invalid_text', message: 'must be valid Unicode without the NUL character' }
}

function numberError(pointer: string): BodyError {
  return {
    pointer,
    code: 'inexact_number',
    message: 'has more digits than a JSON number can represent, or is -0; send fewer digits',
  }
}
