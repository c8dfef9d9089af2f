import type { CallToolResult } from '@modelcontextprotocol/server'
import { problems } from '../platform/http/problem-catalog.ts'
import type { InputError } from '../platform/http/problems.ts'
import { agentLimits } from './limits.ts'
import { ownPlace, shortened } from './shorten-content.ts'
import { resultOf } from './tool-result.ts'

type ProblemBody = { code?: string; detail?: string; errors?: readonly InputError[] }

/** A problem as a tool result: our own code and sentence. Messages, and places with names that people chose, are under `untrusted`. */
export function errorOf({ code = 'internal_error', detail = '', errors = [] }: ProblemBody): CallToolResult {
  const title = Object.hasOwn(problems, code) ? problems[code as keyof typeof problems].title : 'Error'
  const shown = errors.slice(0, agentLimits.errors)
  const content = {
    code,
    message: title,
    errors: shown.map((error) => ({ ...ownPlaceOf(error), code: error.code })),
    untrusted: { detail, errors: shown.map(({ code: _code, ...written }) => written) },
  }
  return { ...resultOf(shortened(content)), isError: true }
}

const unknownCodes = ['unknown_field', 'unknown_parameter']

/** The client may have copied a name from a product, so a name is kept only if it is a field, a parameter or a position. */
function ownPlaceOf(error: InputError): { pointer: string } | { parameter: string } {
  const isUnknown = unknownCodes.includes(error.code)
  if ('parameter' in error) return { parameter: isUnknown ? '' : error.parameter.replace(/\[.*/s, '') }
  const keys = error.pointer.split('/').slice(1)
  return { pointer: ownPlace(isUnknown ? keys.slice(0, -1) : keys) }
}
