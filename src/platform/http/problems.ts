import { type ProblemCode, problems } from './problem-catalog.ts'

/** One error in the client's input: where it is, and how to fix it. */
export type BodyError = { pointer: string; code: string; message: string }
export type InputError = BodyError | { parameter: string; code: string; message: string }

type ProblemExtras = {
  detail?: string
  errors?: InputError[]
  existing_id?: number
  marked?: { done: number; total: number }
  headers?: Record<string, string>
}

/** Thrown anywhere; `problem-response.ts` turns it into a response. */
export class Problem extends Error {
  readonly problemCode: ProblemCode
  readonly extras: ProblemExtras

  constructor(code: ProblemCode, extras: ProblemExtras = {}) {
    super(extras.detail ?? problems[code].detail)
    this.problemCode = code
    this.extras = extras
  }
}

export function notFound(what: string, id: number | string): Problem {
  return new Problem('not_found', { detail: `There is no ${what} ${id} in this project.` })
}
