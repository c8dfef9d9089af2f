import { strings } from './strings.ts'

/** A token costs money only if someone selects these. */
const isCostly = (scope: string) => scope.startsWith('ai:')

export const scopes = Object.entries(strings.scopes).map(([value, label]) => ({ value, label }))

/** The scopes that a new token has unless the user selects others. */
export function preselected(choices: typeof scopes): string[] {
  return choices.map(({ value }) => value).filter((scope) => !isCostly(scope))
}
