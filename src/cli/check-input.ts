import type { TSchema } from 'typebox'
import { type Fault, Problem } from '../http/problems.ts'
import { compileBody } from '../http/request/validate-body.ts'

/** The same rules for a command's input as for the body of a request. */
export function checkInput<Input>(schema: TSchema, input: Input): Input {
  const result = compileBody(schema)(input)
  if ('error' in result) throw plain(result.error)
  return result.value as Input
}

/** A verb speaks of the body of a request; whoever types a command reads the faults themselves. */
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

function describe(fault: Fault): string {
  const place = 'pointer' in fault ? fault.pointer.slice(1) : fault.parameter
  return `${place} ${fault.message}`
}
