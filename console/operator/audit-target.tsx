import { Anchor } from '@mantine/core'
import { Link, type LinkProps } from '@tanstack/react-router'
import { sentenceOf } from '../audit/sentence.ts'
import cells from '../parts/lists/cells.module.css'
import type { AuditEntry } from '../wire.ts'

/** The sentence of an entry, which links to its target if that has a page and still exists. */
export function AuditTarget({ entry }: { entry: AuditEntry }) {
  const link = targetLink(entry)
  const text = sentenceOf(entry)
  return link === undefined ? (
    text
  ) : (
    <Anchor renderRoot={(props) => <Link {...props} {...link} />}>{text}</Anchor>
  )
}

export function AuditProject({ entry: { action, project } }: { entry: AuditEntry }) {
  if (project === null) return '–'
  const isGone = action === 'project.delete'
  return (
    <div className={cells.long}>
      {isGone ? (
        <bdi>{project.name}</bdi>
      ) : (
        <Anchor
          renderRoot={(props) => (
            <Link {...props} to="/operator/projects/$projectId" params={{ projectId: project.id }} />
          )}
        >
          <bdi>{project.name}</bdi>
        </Anchor>
      )}
    </div>
  )
}

function targetLink({ action, project, target, details }: AuditEntry): LinkProps | undefined {
  const [, noun = '', id = ''] = /^(user|webhook|project|token|access request|run) (\d+)$/.exec(target) ?? []
  if (action.endsWith('.delete') || action === 'member.remove') return undefined
  if (noun === 'user') return { to: '/operator/users', search: { search: String(details['email'] ?? id) } }
  if (noun === 'access request') return { to: '/operator/access-requests', search: { state: 'all' } }
  if (project === null) return undefined
  const params = { projectId: project.id }
  if (noun === 'webhook')
    return {
      to: '/projects/$projectId/settings/webhooks/$webhookId',
      params: { ...params, webhookId: Number(id) },
    }
  if (noun === 'run')
    return { to: '/projects/$projectId/runs/$runId', params: { ...params, runId: Number(id) } }
  return noun === '' ? undefined : { to: '/operator/projects/$projectId', params }
}
