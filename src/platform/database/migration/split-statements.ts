export type ScriptStatement = { text: string; repeated: boolean }

const repeatMark = '-- repeat until no row changes'

// A semicolon within any of these ends no statement; the last two stand for all other text.
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

/** The statements of a script without their comments. Knows neither nested comments nor `begin atomic`. */
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
      if (part.startsWith('-- repeat') && part.trim() !== repeatMark)
        throw new Error(`"${part.trim()}" is not "${repeatMark}"`)
      current.repeated ||= part.trim() === repeatMark
    } else current.text += part.startsWith('/*') ? ' ' : part
  }
  finish()
  return statements
}
