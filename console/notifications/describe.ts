import type { LinkProps } from '@tanstack/react-router'
import type { Notification } from '../wire.ts'
import { strings } from './list-strings.ts'

/** The text of a notification. */
export function textOf({ kind, title, state, events }: Notification): string {
  const { texts, states } = strings
  const became = states[state ?? ''] ?? state ?? ''
  if (kind === 'access_decided') return texts.access_decided(became)
  if (kind === 'import_finished') return texts.import_finished(title)
  if (kind === 'proposal_decided') return texts.proposal_decided(title, became)
  if (kind === 'second_factor_reset') return texts.second_factor_reset
  if (kind === 'webhook_failing') return texts.webhook_failing(title, became)
  if (kind === 'job_failed') return texts.job_failed(title)
  if (kind === 'run_waiting') return texts.run_waiting(title, state ?? '')
  if (kind === 'run_finished') return texts.run_finished(title, state ?? '')
  return events === 1 ? texts.proposal_waiting(title) : texts.proposals_waiting(events, title)
}

export const newsOf = (notification: Notification) => strings.announced(textOf(notification))

/** The page of the object that a notification is about. */
export function linkOf(notification: Notification): LinkProps {
  const { kind, project, object_id: id } = notification
  if (project === null) return { to: '/account' }
  const params = { projectId: project.id }
  if (kind === 'access_decided') return { to: '/projects/$projectId/settings/api-access', params }
  if (kind === 'webhook_failing' && id !== null)
    return { to: '/projects/$projectId/settings/webhooks/$webhookId', params: { ...params, webhookId: id } }
  if (kind === 'job_failed') return jobLink(notification, params)
  if ((kind === 'run_waiting' || kind === 'run_finished') && id !== null)
    return { to: '/projects/$projectId/runs/$runId', params: { ...params, runId: id } }
  if (id !== null && (kind !== 'proposal_waiting' || notification.events === 1))
    return { to: '/projects/$projectId/proposals/$proposalId', params: { ...params, proposalId: id } }
  return { to: '/projects/$projectId/proposals', params, search: { state: 'open' } }
}

function jobLink({ title }: Notification, params: { projectId: number }): LinkProps {
  if (title.startsWith('media')) return { to: '/projects/$projectId/media', params }
  if (title.startsWith('proposal'))
    return { to: '/projects/$projectId/proposals', params, search: { state: 'failed' } }
  return { to: '/projects/$projectId', params }
}
