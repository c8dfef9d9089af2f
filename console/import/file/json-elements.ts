import { strings } from '../strings.ts'
import { FileError } from './file-text.ts'

const blank = /[ \t\r\n]/

/** Splits a JSON array into elements while its text arrives. The service validates the elements. */
export function splitElements(mostCharacters: number) {
  let position: 'before' | 'inside' | 'after' = 'before'
  let depth = 0
  let isString = false
  let isEscaped = false
  let element = ''

  function stepString(character: string): void {
    if (isEscaped) isEscaped = false
    else if (character === '\\') isEscaped = true
    else if (character === '"') isString = false
  }

  function stepInside(character: string): 'continues' | 'ends' {
    if (isString) stepString(character)
    else if (character === '"') isString = true
    else if (depth === 0 && (character === ',' || character === ']')) return 'ends'
    else if (character === '[' || character === '{') depth += 1
    else if (character === ']' || character === '}') depth -= 1
    return 'continues'
  }

  /** The elements that are complete so far, each on one line. */
  function take(text: string): string[] {
    const whole: string[] = []
    let start = position === 'inside' ? 0 : -1
    for (let at = 0; at < text.length; at += 1) {
      const character = text[at] as string
      if (position === 'inside') {
        if (stepInside(character) === 'continues') continue
        const found = (element + text.slice(start, at)).replaceAll(/[\r\n]/g, ' ').trim()
        if (found !== '') whole.push(found)
        element = ''
        start = at + 1
        if (character === ']') position = 'after'
      } else if (position === 'before' && character === '[') {
        position = 'inside'
        start = at + 1
      } else if (!blank.test(character))
        throw new FileError(
          position === 'before' ? strings.fileErrors.notArray : strings.fileErrors.afterArray,
        )
    }
    if (position === 'inside') element += text.slice(start)
    if (element.length > mostCharacters) throw new FileError(strings.fileErrors.productTooLarge)
    return whole
  }

  function end(): void {
    if (position !== 'after') throw new FileError(strings.fileErrors.unclosedArray)
  }

  return { take, end }
}
