import type { AuditEntry } from '../wire.ts'
import { strings } from './audit-strings.ts'

export function actionText(action: string): string {
  return strings.audit.actions[action] ?? action
}

export function detailsText(details: AuditEntry['details']): string {
  return Object.entries(details)
    .filter(([, value]) => value !== null && !(Array.isArray(value) && value.length === 0))
    .map(([name, value]) => `${capitalized(name.replaceAll('_', ' '))}: ${valueText(value)}`)
    .join('; ')
}

export function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

function valueText(value: unknown): string {
  if (Array.isArray(value)) return value.map(valueText).join(', ')
  if (typeof value === 'boolean') return value ? strings.audit.yes : strings.audit.no
  if (typeof value === 'object' && value !== null)
    return Object.entries(value)
      .map(([name, inner]) => `${name.replaceAll('_', ' ')} ${valueText(inner)}`)
      .join(' ')
  return String(value)
}
