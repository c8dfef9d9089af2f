import type { AuditEntry } from '../wire.ts'

/** What an operator did, in words; the trail itself keeps `noun.verb`. */
const sentences: Record<string, string> = {
  'project.create': 'Made a project',
  'project.change': 'Changed a project',
  'token.create': 'Issued a token',
  'token.rotate': 'Rotated a token',
  'token.revoke': 'Revoked a token',
  'token.show': 'Showed a token',
  'user.create': 'Made a user',
  'user.change': 'Changed a user',
  'user.reset_password': 'Reset a password',
  'user.invite': 'Invited a user',
  'user.accept_invitation': 'Accepted an invitation',
  'user.disable': 'Disabled a user',
  'user.enable': 'Enabled a user',
  'user.end_sessions': 'Signed a user out everywhere',
  'user.delete': 'Deleted a user',
  'project.delete': 'Deleted a project',
  'webhook.create': 'Made a webhook',
  'webhook.update': 'Changed a webhook',
  'webhook.delete': 'Deleted a webhook',
  'webhook.rotate': 'Rotated the secret of a webhook',
  'webhook.replay': 'Replayed events to a webhook',
  'webhook.enable': 'Enabled a webhook',
  'webhook.fail': 'Told that a webhook fails',
  'webhook.disable': 'Disabled a webhook',
  'webhook.retry': 'Retried parked events',
  'access_request.approve': 'Approved an access request',
  'access_request.decline': 'Declined an access request',
}

export function actionText(action: string): string {
  return sentences[action] ?? action
}

export function detailsText(details: AuditEntry['details']): string {
  return Object.entries(details)
    .filter(([, value]) => value !== null && !(Array.isArray(value) && value.length === 0))
    .map(([name, value]) => `${name.replaceAll('_', ' ')}: ${valueText(value)}`)
    .join('; ')
}

function valueText(value: unknown): string {
  if (Array.isArray(value)) return value.map(valueText).join(', ')
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (typeof value === 'object' && value !== null)
    return Object.entries(value)
      .map(([name, inner]) => `${name.replaceAll('_', ' ')} ${valueText(inner)}`)
      .join(' ')
  return String(value)
}
