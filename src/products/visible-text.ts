const entity = /&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]\w{1,31}));/iy
const hidden = /<(script|style)\b/iy

/**
 * Whether a text shows at least so many characters when its markup is taken away: tags, comments and scripts show nothing, an
 * entity is one character, and blanks between words are one. The text is read once, and only as far as needed.
 */
export function showsCharacters(markup: string, wanted: number): boolean {
  // Most texts have no markup, and every write looks at them.
  if (!/[<&]/.test(markup)) return markup.trim().length >= wanted
  const lastTagEnd = markup.lastIndexOf('>')
  let shown = 0
  let isAfterBlank = false
  for (let at = 0; at < markup.length && shown < wanted; ) {
    const next = endOfMarkup(markup, at, lastTagEnd)
    if (next > at) {
      at = next
      continue
    }
    const end = endOfCharacter(markup, at)
    const isBlank = /^(\s|&nbsp;|&#160;|&#xa0;)$/i.test(markup.slice(at, end))
    if (!isBlank) shown += isAfterBlank && shown > 0 ? 2 : 1
    isAfterBlank = isBlank
    at = end
  }
  return shown >= wanted
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
