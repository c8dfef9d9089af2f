import type { LinkProps } from '@tanstack/react-router'
import type { IconName } from '../parts/icons.tsx'
import type { SessionProject } from '../wire.ts'
import { strings } from './strings.ts'

export type Entry = {
  label: string
  icon: IconName
  link: LinkProps
  exact?: boolean
  count?: number | undefined
  /** What is counted, for screen readers. */
  counted?: string
}

const runsEntry = (params: { projectId: number }): Entry => ({
  label: strings.projectPages.runs,
  icon: 'play',
  link: { to: '/projects/$projectId/runs', params },
})

const importEntry = (params: { projectId: number }): Entry => ({
  label: strings.projectPages.import,
  icon: 'upload',
  link: { to: '/projects/$projectId/import', params },
})

const marketsEntry = (params: { projectId: number }): Entry => ({
  label: strings.projectPages.markets,
  icon: 'globe',
  link: { to: '/projects/$projectId/settings/markets', params },
})

/** The navigation of a project. New screens are added here. */
export const projectEntries = (project: SessionProject, openProposals?: number | undefined): Entry[] => {
  const params = { projectId: project.id }
  const isManager = project.role === 'manager' || project.role === 'operator'
  return [
    {
      label: strings.projectPages.overview,
      icon: 'overview',
      link: { to: '/projects/$projectId', params },
      exact: true,
    },
    {
      label: strings.projectPages.products,
      icon: 'tag',
      link: { to: '/projects/$projectId/products', params },
    },
    {
      label: strings.projectPages.categories,
      icon: 'tree',
      link: { to: '/projects/$projectId/categories', params },
    },
    {
      label: strings.projectPages.media,
      icon: 'picture',
      link: { to: '/projects/$projectId/media', params },
    },
    {
      label: strings.projectPages.attributes,
      icon: 'ruler',
      link: { to: '/projects/$projectId/attributes', params },
    },
    ...(isManager || project.has_views ? [marketsEntry(params)] : []),
    {
      label: strings.projectPages.proposals,
      icon: 'proposal',
      link: { to: '/projects/$projectId/proposals', params },
      count: openProposals,
    },
    {
      label: strings.projectPages.prompts,
      icon: 'prompt',
      link: { to: '/projects/$projectId/prompts', params },
    },
    ...(project.role === 'viewer' ? [] : [runsEntry(params), importEntry(params)]),
    {
      label: strings.projectPages.apiAccess,
      icon: 'key',
      link: { to: '/projects/$projectId/settings/api-access', params },
    },
    {
      label: strings.projectPages.agents,
      icon: 'plug',
      link: { to: '/projects/$projectId/settings/agents', params },
    },
    ...(isManager ? managerEntries(params) : []),
  ]
}

/** Only managers can use these pages. */
const managerEntries = (params: { projectId: number }): Entry[] => [
  {
    label: strings.projectPages.members,
    icon: 'people',
    link: { to: '/projects/$projectId/settings/members', params },
  },
  {
    label: strings.projectPages.webhooks,
    icon: 'send',
    link: { to: '/projects/$projectId/settings/webhooks', params },
  },
  {
    label: strings.projectPages.aiProviders,
    icon: 'chip',
    link: { to: '/projects/$projectId/settings/ai-providers', params },
  },
]

export const adminEntries = (
  openRequests?: number | undefined,
  troubledWebhooks?: number | undefined,
): Entry[] => [
  {
    label: strings.adminPages.accessRequests,
    icon: 'inbox',
    link: { to: '/operator/access-requests' },
    count: openRequests,
  },
  { label: strings.adminPages.projects, icon: 'box', link: { to: '/operator/projects' } },
  { label: strings.adminPages.users, icon: 'people', link: { to: '/operator/users' } },
  { label: strings.adminPages.audit, icon: 'trail', link: { to: '/operator/audit' } },
  {
    label: strings.adminPages.webhooks,
    icon: 'send',
    link: { to: '/operator/webhooks' },
    count: troubledWebhooks,
    counted: strings.navigation.failing,
  },
]
