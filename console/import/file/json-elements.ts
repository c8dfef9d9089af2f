import { FileError } from './file-text.ts'

const blank = /[ \t\r\n]/

/** The elements of one JSON array, as the text of it comes in. Whether an element is valid is for the service to say. */
export function splitElements(mostCharacters: number) {
  let place: 'before' | 'inside' | 'after' = 'before'
  let depth = 0
  let isString = false
  let isEscaped = false
  let element = ''

  /** Within a string nothing but its end counts. */
  function stepString(character: string): void {
    if (isEscaped) isEscaped = false
    else if (character === '\\') isEscaped = true
    else if (character === '"') isString = false
  }

  function stepInside(character: string): 'goes on' | 'ends' {
    if (isString) stepString(character)
    else if (character === '"') isString = true
    else if (depth === 0 && (character === ',' || character === ']')) return 'ends'
    else if (character === '[' || character === '{') depth += 1
    else if (character === ']' || character === '}') depth -= 1
    return 'goes on'
  }

  /** The elements that are whole by now, each on one line. */
  function take(text: string): string[] {
    const whole: string[] = []
    let start = place === 'inside' ? 0 : -1
    for (let at = 0; at < text.length; at += 1) {
      const character = text[at] as string
      if (place === 'inside') {
        if (stepInside(character) === 'goes on') continue
        const found = (element + text.slice(start, at)).replaceAll(/[\r\n]/g, ' ').trim()
        if (found !== '') whole.push(found)
        element = ''
        start = at + 1
        if (character === ']') place = 'after'
      } else if (place === 'before' && character === '[') {
        place = 'inside'
        start = at + 1
      } else if (!blank.test(character))
        throw new FileError(
          place === 'before'
            ? 'This file is no JSON array of products.'
            : 'Something follows the JSON array.',
        )
    }
    if (place === 'inside') element += text.slice(start)
    if (element.length > mostCharacters) throw new FileError('A product of this file is larger than 1 MiB.')
    return whole
  }

  function end(): void {
    if (place !== 'after') throw new FileError('The JSON array of this file has no end.')
  }

  return { take, end }
}
