import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { read } from './network.ts'
import type { AuditView, ProjectsView, TokensView, UsersView, WebhooksView } from './operator/lists.ts'
import type { OpenApiDocument } from './reference/document/document.ts'
import type {
  AccessRequest,
  ApiAccess,
  AuditEntry,
  OpenSession,
  OperatorProject,
  OperatorWebhook,
  OwnCompanyAccount,
  Page,
  ProductDetail,
  ProductStatus,
  RequiredRoles,
  Security,
  Session,
  SessionProject,
  Token,
  User,
} from './wire.ts'

const api = '/console/api'
const operator = `${api}/operator`

export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: ({ signal }) => read<Session>(`${api}/session`, signal),
  staleTime: 60_000,
})

export const signedInQuery = queryOptions({
  queryKey: ['signed-in'],
  queryFn: ({ signal }) => read<{ signed_in: boolean }>('/console/auth/signed-in', signal),
  staleTime: 0,
  retry: false,
})

export const securityQuery = queryOptions({
  queryKey: ['security'],
  queryFn: ({ signal }) => read<Security>(`${api}/account/security`, signal),
})

export const ownCompanyQuery = queryOptions({
  queryKey: ['own-company-account'],
  queryFn: ({ signal }) => read<OwnCompanyAccount>(`${api}/account/company`, signal),
})

export const requiredRolesQuery = queryOptions({
  queryKey: ['operator', 'second-factor-roles'],
  queryFn: ({ signal }) => read<RequiredRoles>(`${operator}/second-factor-roles`, signal),
})

export const apiAccessQuery = (project: number) =>
  queryOptions({
    queryKey: ['project', project, 'api-access'],
    queryFn: ({ signal }) => read<ApiAccess>(`${api}/projects/${project}/api-access`, signal),
  })

export const productCountQuery = (project: number, status: ProductStatus) =>
  queryOptions({
    queryKey: ['project', project, 'product-count', status],
    queryFn: async ({ signal }) => {
      const path = `${api}/projects/${project}/products?page_size=1&status=${status}`
      return (await read<Page<unknown>>(path, signal)).count
    },
  })

/** The number of products that match a filter. Cached longer, because counting many products is expensive. */
export const countQuery = (project: number, filter: Record<string, string>) =>
  queryOptions({
    queryKey: ['project', project, 'overview', 'count', filter],
    queryFn: async ({ signal }) => {
      const query = new URLSearchParams({ ...filter, page_size: '1' })
      return (await read<Page<unknown>>(`${api}/projects/${project}/products?${query}`, signal)).count
    },
    staleTime: 60_000,
  })

export const changesShown = 6
export const newestChangesQuery = (project: number) =>
  queryOptions({
    queryKey: ['project', project, 'newest-changes'],
    queryFn: ({ signal }) =>
      read<Page<ProductDetail>>(
        `${api}/projects/${project}/products?expand=detail&ordering=-updated_at&page_size=${changesShown}`,
        signal,
      ),
  })

/** A sample response with the project's own data. */
export const sampleQuery = (project: number, path: string) =>
  queryOptions({
    queryKey: ['project', project, 'sample', path],
    queryFn: ({ signal }) => read<unknown>(`${api}/projects/${project}${path}`, signal),
    staleTime: 300_000,
  })

export const referenceQuery = queryOptions({
  queryKey: ['reference'],
  queryFn: ({ signal }) => read<OpenApiDocument>('/openapi.json', signal),
  staleTime: Number.POSITIVE_INFINITY,
})

export type RequestState = AccessRequest['state'] | 'all'

export const accessRequestsQuery = (state: RequestState, page: number) =>
  operatorPage<AccessRequest>('access-requests', page, state === 'all' ? {} : { state })
export const operatorProjectsQuery = ({ page = 1, ordering, ...rest }: ProjectsView) =>
  operatorPage<OperatorProject>('projects', page, { ordering: ordering ?? 'name', ...rest })
export const usersQuery = ({ page = 1, ...rest }: UsersView) => operatorPage<User>('users', page, rest)
export const auditQuery = ({ page = 1, project, ...rest }: AuditView) =>
  operatorPage<AuditEntry>('audit', page, { ...rest, ...(project && { project: String(project) }) })
/** Failing and disabled webhooks. */
export const troubledWebhooksQuery = ({ page = 1, ...rest }: WebhooksView) =>
  operatorPage<OperatorWebhook>('webhooks', page, rest)

export const pageSize = 20

type Filters = Record<string, string | undefined>

/** The query of a page. Undefined filters are left out. */
export function listQuery(filters: Filters, page: number, size = pageSize): URLSearchParams {
  const given = Object.entries(filters).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value]],
  )
  return new URLSearchParams([...given, ['page', String(page)], ['page_size', String(size)]])
}

function operatorPage<Item>(list: string, page: number, filters: Filters = {}) {
  const query = listQuery(filters, page)
  return queryOptions({
    queryKey: ['operator', list, filters, page],
    queryFn: ({ signal }) => read<Page<Item>>(`${operator}/${list}?${query}`, signal),
    placeholderData: keepPreviousData,
  })
}

export const operatorProjectQuery = (project: number) =>
  queryOptions({
    queryKey: ['operator', 'project', project],
    queryFn: ({ signal }) => read<OperatorProject>(`${operator}/projects/${project}`, signal),
  })

export const projectTokensQuery = (project: number, view: TokensView) =>
  tokensPage(['operator', 'project', project, 'tokens'], `${operator}/projects/${project}/tokens`, view)

/** The tokens of a project, for its members. */
export const memberTokensQuery = (project: number, view: TokensView) =>
  tokensPage(['project', project, 'api-access', 'tokens'], `${api}/projects/${project}/tokens`, view)

function tokensPage(key: unknown[], path: string, { page = 1, ...filters }: TokensView) {
  const query = listQuery(filters, page)
  return queryOptions({
    queryKey: [...key, filters, page],
    queryFn: ({ signal }) => read<Page<Token>>(`${path}?${query}`, signal),
    placeholderData: keepPreviousData,
  })
}

/** One project of the user. The session lists only the first projects. */
export const openProjectQuery = (project: number) =>
  queryOptions({
    queryKey: ['project', project, 'open'],
    queryFn: ({ signal }) => read<SessionProject>(`${api}/projects/${project}`, signal),
    staleTime: 60_000,
  })

/** The first projects of the user that match the search. */
export const projectsFoundQuery = (search: string) =>
  queryOptions({
    queryKey: ['projects', search],
    queryFn: ({ signal }) =>
      read<Page<SessionProject>>(
        `${api}/projects?${new URLSearchParams({ search, page_size: '20' })}`,
        signal,
      ),
    placeholderData: keepPreviousData,
    staleTime: 30_000,
  })

export const ownSessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: ({ signal }) => read<Page<OpenSession>>(`${api}/sessions?page_size=100`, signal),
})

/** The name of a prompt, for links to it. */
export const promptNameQuery = (project: number, id: number) =>
  queryOptions({
    queryKey: ['project', project, 'prompt-name', id],
    queryFn: async ({ signal }) =>
      (await read<{ name: string }>(`${api}/projects/${project}/prompts/${id}`, signal)).name,
    staleTime: 300_000,
  })
