import { strings } from './project-strings.ts'

const choicesOf = (labels: Record<string, string>) =>
  Object.entries(labels).map(([value, label]) => ({ value, label }))

export const plans = choicesOf(strings.plans)
export const accessChoices = choicesOf(strings.settings.access)
export const limitKinds = choicesOf(strings.settings.rateLimits)
