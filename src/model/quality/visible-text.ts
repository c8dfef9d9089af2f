const entity = /&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]\w{1,31}));/iy
const hidden = /<(script|style)\b/iy

/** Any other entity is one character too, which stands for itself. */
const namedCharacters = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
  ['nbsp', ' '],
  ['reg', '®'],
  ['copy', '©'],
  ['trade', '™'],
  ['euro', '€'],
  ['ndash', '–'],
  ['mdash', '—'],
])
const unknownCharacter = '\uFFFD'

export function hasMarkup(text: string): boolean {
  // Five times as fast as an expression, and every write asks for three texts.
  return text.includes('<') || text.includes('&')
}

/** Whether a text shows at least so many characters when its markup is taken away. It is read only as far as needed. */
export function showsCharacters(markup: string, wanted: number): boolean {
  return visibleText(markup, wanted).length >= wanted
}

/**
 * What a text shows when its markup is taken away: tags, comments and scripts show nothing, an entity is one character, and
 * blanks between words are one. The text is read once, until it has shown as many characters as are wanted or a few more.
 */
export function visibleText(markup: string, wanted = Number.POSITIVE_INFINITY): string {
  // Most texts have no markup, and every write looks at them.
  if (!hasMarkup(markup)) return markup.trim()
  const lastTagEnd = markup.lastIndexOf('>')
  let shown = ''
  let isAfterBlank = false
  for (let at = 0; at < markup.length && shown.length < wanted; ) {
    const next = endOfMarkup(markup, at, lastTagEnd)
    if (next > at) {
      at = next
      continue
    }
    const end = endOfCharacter(markup, at)
    const character = end > at + 1 ? characterOf(markup.slice(at + 1, end - 1)) : (markup[at] as string)
    const isBlank = /^\s$/.test(character)
    if (!isBlank) shown += isAfterBlank && shown !== '' ? ` ${character}` : character
    isAfterBlank = isBlank
    at = end
  }
  return shown
}

/** Where the tag or comment that begins here ends; here, if none does. */
function endOfMarkup(markup: string, at: number, lastTagEnd: number): number {
  if (markup[at] !== '<') return at
  if (markup.startsWith('<!--', at)) return after(markup, '-->', at + 4) ?? markup.length
  hidden.lastIndex = at
  const [, name] = hidden.exec(markup) ?? []
  if (name !== undefined) {
    const closing = new RegExp(`</${name}\\s*>`, 'gi')
    closing.lastIndex = at
    return closing.test(markup) ? closing.lastIndex : markup.length
  }
  const isTag = at < lastTagEnd && /[a-z/!?]/i.test(markup[at + 1] ?? '')
  return isTag ? markup.indexOf('>', at) + 1 : at
}

function after(text: string, mark: string, from: number): number | undefined {
  const found = text.indexOf(mark, from)
  return found < 0 ? undefined : found + mark.length
}

function endOfCharacter(markup: string, at: number): number {
  if (markup[at] !== '&') return at + 1
  entity.lastIndex = at
  return entity.test(markup) ? entity.lastIndex : at + 1
}

/** Of an entity, without its signs: `amp`, `#38` or `#x26`. */
function characterOf(name: string): string {
  if (!name.startsWith('#')) return namedCharacters.get(name.toLowerCase()) ?? unknownCharacter
  const isHex = /^#x/i.test(name)
  const code = Number.parseInt(name.slice(isHex ? 2 : 1), isHex ? 16 : 10)
  return code <= 0x10_ff_ff ? String.fromCodePoint(code) : unknownCharacter
}
