import type { LinkProps } from '@tanstack/react-router'
import type { IconName } from '../parts/icons.tsx'
import type { SessionProject } from '../wire.ts'

export type Entry = {
  label: string
  icon: IconName
  link: LinkProps
  exact?: boolean
  count?: number | undefined
  /** What is counted, for screen readers. */
  counted?: string
}

const importEntry = (params: { projectId: number }): Entry => ({
  label: 'Import',
  icon: 'upload',
  link: { to: '/projects/$projectId/import', params },
})

/** A new screen of a project gets its entry here. */
export const projectEntries = (project: SessionProject, openProposals?: number | undefined): Entry[] => {
  const params = { projectId: project.id }
  return [
    { label: 'Overview', icon: 'overview', link: { to: '/projects/$projectId', params }, exact: true },
    { label: 'Products', icon: 'tag', link: { to: '/projects/$projectId/products', params } },
    { label: 'Categories', icon: 'tree', link: { to: '/projects/$projectId/categories', params } },
    {
      label: 'Attributes and rules',
      icon: 'ruler',
      link: { to: '/projects/$projectId/attributes', params },
    },
    {
      label: 'Proposals',
      icon: 'proposal',
      link: { to: '/projects/$projectId/proposals', params },
      count: openProposals,
    },
    { label: 'Prompts', icon: 'prompt', link: { to: '/projects/$projectId/prompts', params } },
    ...(project.role === 'viewer' ? [] : [importEntry(params)]),
    { label: 'API access', icon: 'key', link: { to: '/projects/$projectId/settings/api-access', params } },
    { label: 'Webhooks', icon: 'send', link: { to: '/projects/$projectId/settings/webhooks', params } },
  ]
}

export const operatorEntries = (
  openRequests?: number | undefined,
  troubledWebhooks?: number | undefined,
): Entry[] => [
  { label: 'Access requests', icon: 'inbox', link: { to: '/operator/access-requests' }, count: openRequests },
  { label: 'Projects', icon: 'box', link: { to: '/operator/projects' } },
  { label: 'Users', icon: 'people', link: { to: '/operator/users' } },
  { label: 'Audit trail', icon: 'trail', link: { to: '/operator/audit' } },
  {
    label: 'Webhooks',
    icon: 'send',
    link: { to: '/operator/webhooks' },
    count: troubledWebhooks,
    counted: 'failing or disabled',
  },
]
