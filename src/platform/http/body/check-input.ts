import type { TSchema } from 'typebox'
import { type InputError, Problem } from '../problems.ts'
import { compileBody } from './validate-body.ts'

/** Validates the input of a command like a request body. */
export function checkInput<Input>(schema: TSchema, input: Input): Input {
  const result = compileBody(schema)(input)
  if ('error' in result) throw plain(result.error)
  return result.value as Input
}

/** Replaces a problem with its list of errors, which is more useful on the command line. */
export async function withPlainErrors<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work
  } catch (error) {
    throw error instanceof Problem ? plain(error) : error
  }
}

function plain({ message, extras: { errors } }: Problem): Error {
  return new Error(errors === undefined ? message : errors.map(describe).join('; '))
}

function describe(error: InputError): string {
  const place = 'pointer' in error ? error.pointer.slice(1) : error.parameter
  return `${place} ${error.message}`
}
