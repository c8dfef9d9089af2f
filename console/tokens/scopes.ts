import { strings } from './strings.ts'

export const scopes = Object.entries(strings.scopes).map(([value, label]) => ({ value, label }))
