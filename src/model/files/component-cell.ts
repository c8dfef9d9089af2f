import type { Component } from '../structure/structure.schema.ts'
import { escaped, splitAt, unescaped } from './cell-text.ts'

const marks = '|*:!'

/** `CAM*1|Lens:L50*1!`: the choice before a colon, the quantity after an asterisk, an exclamation mark for the default. */
export function componentsCell(components: readonly Omit<Component, 'id'>[]): string {
  return components
    .map(({ sku, quantity, choice, default: isDefault }) => {
      const before = choice === undefined ? '' : `${escaped(choice, marks)}:`
      return `${before}${escaped(sku, marks)}*${quantity}${isDefault ? '!' : ''}`
    })
    .join('|')
}

/** The quantity is optional. Malformed text is returned unchanged, and validation rejects it. */
export function readComponents(cell: string): unknown[] {
  return splitAt(cell, '|').map(readComponent)
}

function readComponent(text: string): unknown {
  const [named = '', afterMark, ...moreMarks] = splitAt(text, '!')
  const choices = splitAt(named, ':')
  const [sku = '', quantity, ...moreQuantities] = splitAt(choices.pop() ?? '', '*')
  const isMalformed = (afterMark ?? '').trim() !== '' || moreMarks.length + moreQuantities.length > 0
  if (isMalformed || choices.length > 1) return text
  const [choice] = choices
  return {
    sku: unescaped(sku),
    ...(quantity !== undefined && { quantity: /^\s*\d+\s*$/.test(quantity) ? Number(quantity) : quantity }),
    ...(choice !== undefined && { choice: unescaped(choice) }),
    ...(afterMark !== undefined && { default: true }),
  }
}
