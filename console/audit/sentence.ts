import type { AuditEntry } from '../wire.ts'
import { strings } from './strings.ts'

type Details = AuditEntry['details']
type Sentence = { text: (of: (name: string) => string, target: string) => string; used?: string[] }

const user = (verb: string): Sentence => ({ text: (of) => `${verb} ${of('email')}` })
const named = (verb: string): Sentence => ({ text: (of) => `${verb} ${of('name')}` })
const plain = (text: string): Sentence => ({ text: () => text })
const about = (verb: string): Sentence => ({ text: (_of, target) => `${verb} ${target}` })

/** The sentence of an entry, by its action. The details do not repeat the names in it. */
const sentences: Record<string, Sentence> = {
  'member.invite': { text: (of) => `Invited ${of('email')} as ${of('role')}`, used: ['role', 'expires_at'] },
  'member.join': { text: (of) => `Accepted an invitation as ${of('role')}`, used: ['role'] },
  'member.change': {
    text: (of) => `Changed the role of ${of('email')} from ${of('former_role')} to ${of('role')}`,
    used: ['role', 'former_role'],
  },
  'member.remove': { text: (of) => `Removed ${of('email')} (${of('role')})`, used: ['role'] },
  'member.revoke_invitation': {
    text: (of) => `Revoked the invitation for ${of('email')} as ${of('role')}`,
    used: ['role'],
  },
  'project.create': named('Created project'),
  'project.change': plain('Changed the project'),
  'project.close': named('Closed project'),
  'project.delete': named('Deleted project'),
  'plan.change': about('Changed'),
  'asset.erase': about('Erased media'),
  'asset.adopt_store': plain('Adopted the store of media files'),
  'product.erase': { text: (of) => `Erased product ${of('sku')}`, used: ['id', 'sku'] },
  'token.create': named('Created token'),
  'token.rotate': named('Rotated token'),
  'token.revoke': named('Revoked token'),
  'token.show': named('Viewed token'),
  'user.create': user('Created the account of'),
  'user.change': user('Changed the account of'),
  'user.reset_password': user('Reset the password of'),
  'user.add_second_factor': user('Added a second factor for'),
  'user.remove_second_factor': user('Removed a second factor of'),
  'user.renew_recovery_codes': user('Created new recovery codes for'),
  'user.reset_second_factor': user('Reset the second factor of'),
  'user.require_second_factor': plain('Changed which roles require a second factor'),
  'user.link_company_account': user('Linked the company account of'),
  'user.unlink_company_account': user('Unlinked the company account of'),
  'user.lose_company_access': user('Ended the access of'),
  'user.invite': { ...user('Created an invitation link for'), used: ['expires_at'] },
  'user.accept_invitation': plain('Accepted an invitation'),
  'user.disable': user('Disabled'),
  'user.enable': user('Enabled'),
  'user.end_sessions': user('Ended the sessions of'),
  'user.delete': user('Deleted the account of'),
  'webhook.create': about('Created'),
  'webhook.update': about('Changed'),
  'webhook.delete': about('Deleted'),
  'webhook.rotate': about('Rotated the secret of'),
  'webhook.replay': about('Replayed events of'),
  'webhook.enable': about('Enabled'),
  'webhook.fail': about('Reported failures of'),
  'webhook.disable': about('Disabled'),
  'webhook.retry': about('Retried failed deliveries of'),
  'ai_provider.set': about('Connected or changed'),
  'ai_provider.delete': about('Deleted'),
  'ai_provider.test': about('Tested'),
  'ai_provider.offer': about('Offered'),
  'ai_provider.withdraw': about('Withdrew'),
  'run.start': { ...about('Started'), used: ['prompt'] },
  'run.continue': about('Continued'),
  'run.pause': about('Paused'),
  'run.cancel': about('Canceled'),
  'run.raise': about('Raised the budget of'),
  'access_request.approve': user('Approved the access request of'),
  'access_request.decline': user('Declined the access request of'),
  'job.retry': { text: (of) => `Retried the job ${of('kind')}`, used: ['kind'] },
  'job.cancel': { text: (of) => `Canceled the job ${of('kind')}`, used: ['kind'] },
}

const identity = ['email', 'name', 'token_id']

export function sentenceOf({ action, details, target }: AuditEntry): string {
  const of = (name: string) => (details[name] === undefined ? target : valueText(details[name]))
  return sentences[action]?.text(of, target) ?? `${action}: ${target}`
}

/** The details that the sentence does not contain. */
export function detailsOf({ action, details }: AuditEntry): string {
  const isName = action === 'user.change' ? ['email', 'token_id'] : identity
  const hidden = new Set([...isName, ...(sentences[action]?.used ?? [])])
  return Object.entries(details)
    .filter(
      ([name, value]) => !hidden.has(name) && value !== null && !(value === false && name !== 'operator'),
    )
    .map(([name, value]) => `${labelOf(name)}: ${valueText(value)}`)
    .join(' · ')
}

function labelOf(name: string): string {
  const text = name.replaceAll('_', ' ')
  return strings.details[name] ?? text.charAt(0).toUpperCase() + text.slice(1)
}

function valueText(value: unknown): string {
  if (Array.isArray(value)) return value.map(valueText).join(', ') || strings.none
  if (typeof value === 'boolean') return value ? strings.yes : strings.no
  if (typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value)) return timeText(value)
  if (typeof value === 'object' && value !== null) return objectText(value as Details)
  return value === null || value === undefined ? strings.none : String(value)
}

function objectText(value: Details): string {
  if ('before' in value || 'after' in value)
    return `${valueText(value['before'])} → ${valueText(value['after'])}`
  if ('project_id' in value)
    return `${value['name'] ?? strings.project(value['project_id'])} (${valueText(value['role'])})`
  return Object.entries(value)
    .map(([name, inner]) => `${name.replaceAll('_', ' ')} ${valueText(inner)}`)
    .join(' ')
}

const full = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })
const timeText = (text: string) => full.format(new Date(text))
