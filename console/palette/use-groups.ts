import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { planName } from '../parts/format/plan-name.ts'
import { projectsFoundQuery } from '../queries.ts'
import { useSession } from '../session.ts'
import type { SessionProject } from '../wire.ts'
import { type Entry, type Group, isContained, matching } from './entries.ts'
import { foundProductsQuery } from './queries.ts'
import { recentEntries } from './recent.ts'
import { strings } from './strings.ts'
import { useLocalGroups } from './use-local-groups.ts'

const pauseMilliseconds = 150
const most = 7

type Found = {
  groups: Group[]
  /** The service has not responded to the last text yet. */
  isSearching: boolean
  error: Error | null
}

/**
 * Local entries come first; results of the service follow below, so that a response never moves an entry that the user is
 * about to choose. Results for an earlier text are shown only if they match the current one.
 */
export function useGroups(project: SessionProject | undefined, text: string): Found {
  const { user } = useSession()
  const local = useLocalGroups(project)
  const [wanted] = useDebouncedValue(text, pauseMilliseconds)
  const products = useProducts(project, text, wanted)
  const projects = useProjects(project, text, wanted)
  if (text === '') {
    const recent = recentEntries(user.id, project?.id ?? 0, [
      ...local.flatMap(({ entries }) => entries),
      ...projects.entries,
    ])
    const others = [...local, { name: strings.groups.projects, entries: projects.entries }].map(
      ({ name, entries }) => ({
        name,
        entries: entries
          .filter((entry) => !recent.includes(entry))
          .slice(0, [strings.groups.pages, strings.groups.actions].includes(name) ? undefined : most),
      }),
    )
    return {
      groups: shown([{ name: strings.groups.recent, entries: recent }, ...others]),
      isSearching: false,
      error: null,
    }
  }
  const found = local.map(({ name, entries }) => ({ name, entries: matching(entries, text).slice(0, most) }))
  return {
    groups: shown([
      ...found,
      { name: strings.groups.products, entries: products.entries },
      { name: strings.groups.projects, entries: projects.entries },
    ]),
    isSearching: products.isSearching || projects.isSearching,
    error: products.error ?? projects.error,
  }
}

const shown = (groups: Group[]) => groups.filter(({ entries }) => entries.length > 0)

function useProducts(project: SessionProject | undefined, text: string, wanted: string) {
  const isAsked = project !== undefined && wanted !== ''
  const query = useQuery({ ...foundProductsQuery(project?.id ?? 0, wanted), enabled: isAsked })
  const isOld = wanted !== text || query.isPlaceholderData
  const fitting = (query.data ?? []).filter(({ sku, name }) => !isOld || isContained(text, `${sku} ${name}`))
  return {
    entries: fitting.map(
      ({ id, sku, name, media }): Entry => ({
        id: `product:${id}`,
        icon: 'tag',
        media,
        label: sku,
        hint: name,
        href: `/projects/${project?.id}/products/${id}`,
      }),
    ),
    isSearching: project !== undefined && (wanted !== text || query.isFetching),
    error: query.error,
  }
}

/** The service searches only if there are more projects than the session lists. */
function useProjects(current: SessionProject | undefined, text: string, wanted: string) {
  const { projects, project_count: count } = useSession()
  const isAsked = projects.length < count && wanted !== ''
  const query = useQuery({ ...projectsFoundQuery(wanted), enabled: isAsked, retry: false })
  const isOld = wanted !== text || query.isPlaceholderData
  const all = isAsked && query.data !== undefined ? query.data.results : projects
  const fitting = all.filter(
    ({ id, name }) => id !== current?.id && ((isAsked && !isOld) || isContained(text, name)),
  )
  return {
    entries: fitting.slice(0, most).map(
      ({ id, name, plan }): Entry => ({
        id: `project:${id}`,
        icon: 'box',
        label: name,
        hint: strings.hints.project(planName(plan)),
        href: `/projects/${id}`,
      }),
    ),
    isSearching: projects.length < count && (wanted !== text || query.isFetching),
    error: query.error,
  }
}
