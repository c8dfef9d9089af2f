import { escapePointer } from '../../platform/http/body/json-scan.ts'
import type { InputError } from '../../platform/http/problems.ts'

type Given = { values: Map<string, string>; errors: InputError[] }

/** `{"attributes": {"color": "red"}}` and `{"attributes.color": "red"}` set the same variable. */
export function flattenVariables(variables: object): Given {
  const given: Given = { values: new Map(), errors: [] }
  collect(variables, '', '/variables', given)
  return given
}

function collect(variables: object, prefix: string, place: string, given: Given): void {
  for (const [key, value] of Object.entries(variables) as [string, unknown][]) {
    const name = prefix + key
    const pointer = `${place}/${escapePointer(key)}`
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      collect(value, `${name}.`, pointer, given)
    else if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean')
      given.errors.push({
        pointer,
        code: 'invalid_type',
        message: 'must be a string, a number, a boolean, or an object of these',
      })
    else if (given.values.has(name))
      given.errors.push({ pointer, code: 'repeated_variable', message: `sets ${name} a second time` })
    else given.values.set(name, String(value))
  }
}
