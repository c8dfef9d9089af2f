import { InvalidArgumentError } from 'commander'
import { type Scope, scopes } from '../model/scopes.ts'

/** Parses a comma-separated list of scopes. */
export function parseScopes(text: string): Scope[] {
  const wanted = text.split(',').map((scope) => scope.trim())
  const unknown = wanted.find((scope) => !(scopes as readonly string[]).includes(scope))
  if (unknown !== undefined)
    throw new InvalidArgumentError(`"${unknown}" is not a scope. Valid scopes: ${scopes.join(', ')}.`)
  return [...new Set(wanted)] as Scope[]
}
