import type { TSchema } from 'typebox'
import { type InputError, Problem } from '../problems.ts'
import { compileBody } from './validate-body.ts'

/** Checks a command's input by the rules for the body of a request. */
export function checkInput<Input>(schema: TSchema, input: Input): Input {
  const result = compileBody(schema)(input)
  if ('error' in result) throw plain(result.error)
  return result.value as Input
}

/** A verb's problem says that the body has faults; on the command line people read the faults themselves. */
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

function describe(fault: InputError): string {
  const place = 'pointer' in fault ? fault.pointer.slice(1) : fault.parameter
  return `${place} ${fault.message}`
}
