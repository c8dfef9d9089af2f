export type ScriptStatement = { text: string; repeated: boolean }

const repeatMarker = '-- repeat until no row changes'

// A semicolon within any of these does not end a statement. The last two match all other text.
const parts = new RegExp(
  [
    /--[^\n]*/,
    /\/\*[\s\S]*?\*\//,
    /\be'(?:\\[\s\S]|''|[^'\\])*'/,
    /'(?:''|[^'])*'/,
    /"(?:""|[^"])*"/,
    /(\$(?:[a-z_]\w*)?\$)[\s\S]*?\1/,
    /[^-/e'"$;]+/,
    /[\s\S]/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'gi',
)

/** The statements of a script without comments. Supports neither nested comments nor `begin atomic`. */
export function splitStatements(script: string): ScriptStatement[] {
  const statements: ScriptStatement[] = []
  let current: ScriptStatement = { text: '', repeated: false }
  const finish = () => {
    const text = current.text.trim()
    if (text !== '') statements.push({ ...current, text })
    current = { text: '', repeated: false }
  }
  for (const [part] of script.matchAll(parts)) {
    if (part === ';') finish()
    else if (part.startsWith('--')) {
      if (part.startsWith('-- repeat') && part.trim() !== repeatMarker)
        throw new Error(`"${part.trim()}" is not "${repeatMarker}"`)
      current.repeated ||= part.trim() === repeatMarker
    } else current.text += part.startsWith('/*') ? ' ' : part
  }
  finish()
  return statements
}
