import { useQuery } from '@tanstack/react-query'
import { type LinkProps, useMatch, useRouter } from '@tanstack/react-router'
import { useOverlays } from '../parts/dialogs/overlays-context.ts'
import { orderedColumns } from '../products/columns/column-names.ts'
import { useColumnChoice } from '../products/columns/stored-columns.ts'
import { exportAddress } from '../products/export-address.ts'
import { viewOf } from '../products/view.ts'
import { apiAccessQuery } from '../queries.ts'
import { savedViewsQuery } from '../saved-views/queries.ts'
import { searchOf } from '../saved-views/view-search.ts'
import { useSession } from '../session.ts'
import { adminEntries, projectEntries } from '../shell/entries.ts'
import type { SessionProject } from '../wire.ts'
import type { Entry, Group } from './entries.ts'
import { strings } from './strings.ts'

type Project = SessionProject | undefined

/** Actions, views and pages that the user's role allows. They need no search. */
export function useLocalGroups(project: Project): Group[] {
  const { user } = useSession()
  const hrefOf = useHrefOf()
  const { showKeys } = useOverlays()
  const actions = [...useProjectActions(project), ...useExports(project)]
  const views = useViews(project)
  const own = project === undefined ? [] : projectEntries(project)
  const page = (at: string) => (entry: (typeof own)[number]) => ({
    id: `page:${at}${entry.label}`,
    icon: entry.icon,
    label: entry.label,
    ...(at !== '' && { hint: strings.hints.admin }),
    href: hrefOf(entry.link),
  })
  const keys: Entry = {
    id: 'action:keys',
    icon: 'keyboard',
    ...strings.entries.keys,
    hint: '?',
    act: showKeys,
  }
  const account: Entry = {
    id: 'page:Account',
    icon: 'person',
    ...strings.entries.account,
    href: '/account',
  }
  const reference: Entry = {
    id: 'page:Reference',
    icon: 'book',
    ...strings.entries.reference,
    act: () => location.assign('/docs'),
  }
  return [
    { name: strings.groups.actions, entries: [...actions, keys] },
    { name: strings.groups.views, entries: views },
    {
      name: strings.groups.pages,
      entries: [
        ...own.map(page('')),
        ...(user.operator ? adminEntries().map(page('operator-')) : []),
        ...[account, reference],
      ],
    },
  ]
}

function useHrefOf(): (link: LinkProps) => string {
  const router = useRouter()
  return (link) => router.buildLocation(link as never).href
}

function useProjectActions(project: Project): Entry[] {
  const hrefOf = useHrefOf()
  const isManager = project?.role === 'manager' || project?.role === 'operator'
  const access = useQuery({
    ...apiAccessQuery(project?.id ?? 0),
    enabled: isManager,
    staleTime: 60_000,
    retry: false,
  })
  if (project === undefined || project.role === 'viewer') return []
  const params = { projectId: project.id }
  const mayCreateTokens = access.data?.locked === false && access.data.self_service.allowed
  const token: Entry = {
    id: 'action:token',
    icon: 'key',
    ...strings.entries.token,
    href: hrefOf({ to: '/projects/$projectId/settings/api-access', params, search: { act: 'new-token' } }),
  }
  return [
    {
      id: 'action:product',
      icon: 'plus',
      ...strings.entries.product,
      href: hrefOf({ to: '/projects/$projectId/products/new', params }),
    },
    {
      id: 'action:prompt',
      icon: 'plus',
      ...strings.entries.prompt,
      href: hrefOf({ to: '/projects/$projectId/prompts/new', params }),
    },
    {
      id: 'action:duplicates',
      icon: 'copy',
      ...strings.entries.duplicates,
      href: hrefOf({ to: '/projects/$projectId/duplicates', params }),
    },
    ...(mayCreateTokens ? [token] : []),
    {
      id: 'action:agent',
      icon: 'plug',
      ...strings.entries.agent,
      href: hrefOf({ to: '/projects/$projectId/settings/agents', params }),
    },
  ]
}

/** Exports of the product list, if it is open. */
function useExports(project: Project): Entry[] {
  const from = '/signed-in/projects/$projectId/products'
  const search = useMatch({ from, shouldThrow: false })?.search
  const [chosen] = useColumnChoice(project?.id ?? 0)
  if (project === undefined || search === undefined) return []
  const { filter, columns } = viewOf(search)
  const shown = orderedColumns(columns ?? chosen.columns)
  const file = (id: string, label: string, url: string): Entry => ({
    id: `action:export-${id}`,
    icon: 'download',
    label,
    words: strings.exports.words,
    act: () => download(url),
  })
  return [
    file('columns', strings.exports.columns, exportAddress(project.id, filter, 'csv', { columns: shown })),
    file('csv', strings.exports.csv, exportAddress(project.id, filter, 'csv')),
    file('ndjson', strings.exports.ndjson, exportAddress(project.id, filter, 'ndjson')),
  ]
}

function download(url: string): void {
  const link = document.createElement('a')
  link.href = url
  link.download = ''
  link.click()
}

function useViews(project: Project): Entry[] {
  const hrefOf = useHrefOf()
  const { data = [] } = useQuery({
    ...savedViewsQuery(project?.id ?? 0),
    enabled: project !== undefined,
    retry: false,
  })
  if (project === undefined) return []
  return data
    .toSorted((one, other) => one.name.localeCompare(other.name))
    .map((view) => ({
      id: `view:${view.id}`,
      icon: 'eye',
      label: view.name,
      hint: strings.hints.view,
      href: hrefOf({
        to: '/projects/$projectId/products',
        params: { projectId: project.id },
        search: searchOf(view),
      }),
    }))
}
