import { quotableError } from '../../platform/http/problem-response.ts'
import type { BodyError, InputError, Problem } from '../../platform/http/problems.ts'
import { writeLimits } from '../limits.ts'
import { duplicateSku } from '../products/create-product.ts'

/** The errors that a single write would return, as errors of the line. */
export function lineErrors({ problemCode, message, extras: { errors } }: Problem): BodyError[] {
  return limitErrors(errors ?? [{ pointer: '', code: problemCode, message }])
}

/** The first errors of a line, up to the limit for a response, with bounded messages. */
export function limitErrors(errors: readonly InputError[]): BodyError[] {
  return errors.slice(0, writeLimits.lineErrors).map((error) => {
    const { code, message } = error
    return quotableError({ pointer: 'pointer' in error ? error.pointer : '', code, message })
  })
}

type Rejected = {
  sku: string | null
  product: { id: number | undefined } | undefined
  outcome: string
  errors: BodyError[]
}

/** The errors of a rejected line. A rejected line without errors would have created a product that exists. */
export function errorsOf({ sku, product, outcome, errors }: Rejected): BodyError[] {
  if (outcome !== 'rejected' || errors.length > 0) return errors
  const { message } = duplicateSku(sku ?? '', product?.id)
  return [{ pointer: '/sku', code: 'duplicate_sku', message }]
}
