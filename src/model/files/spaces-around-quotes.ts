const quote = '"'
/** As a character, and as UTF-8 bytes. */
const byteOrderMark = '\ufeff\xef\xbb\xbf'
/** Whitespace is held back until the next character shows whether it belongs to a text. */
const maxHeldCharacters = 64 * 1024

/**
 * Removes spaces between a quoted cell and the delimiters around it, because the parser treats them as text. Also works for binary
 * strings with one character per byte. Accepts a file in parts; the call without an argument returns the rest.
 */
export function withoutSpacesAroundQuotes(delimiter: string): (part?: string) => string {
  let place: 'start' | 'plain' | 'quoted' | 'closed' = 'start'
  let held = ''
  const isSpace = (character: string) => character !== delimiter && (character === ' ' || character === '\t')
  const isEnd = (character: string) => character === delimiter || character === '\n' || character === '\r'

  /** The output for a character, including the text held back before it. */
  function next(character: string): string {
    const isAround = place === 'start' || place === 'closed'
    if (isAround && isSpace(character) && held.length < maxHeldCharacters) {
      held += character
      return ''
    }
    const isDropped = place === 'start' ? character === quote : place === 'closed' && isEnd(character)
    const before = isDropped ? '' : held
    place = placeAfter(character)
    held = ''
    return before + character
  }

  function placeAfter(character: string): typeof place {
    if (place === 'quoted') return character === quote ? 'closed' : 'quoted'
    if (place === 'start' && character === quote) return 'quoted'
    if (place === 'start' && byteOrderMark.includes(character)) return 'start'
    // Two quotes in a quoted cell are one quote in the text.
    if (place === 'closed' && held === '' && character === quote) return 'quoted'
    return isEnd(character) ? 'start' : 'plain'
  }

  return (part) => {
    if (part === undefined) return place === 'closed' ? '' : held
    let text = ''
    let from = 0
    for (let at = 0; at < part.length; at += 1) {
      const character = part[at] as string
      const isPlain = held === '' && !((place === 'start' || place === 'closed') && isSpace(character))
      if (isPlain) {
        place = placeAfter(character)
        continue
      }
      text += part.slice(from, at) + next(character)
      from = at + 1
    }
    return text + part.slice(from)
  }
}
