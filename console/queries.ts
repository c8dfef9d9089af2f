import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { read } from './network.ts'
import type { OpenApiDocument } from './reference/document/document.ts'
import type {
  AccessRequest,
  ApiAccess,
  AuditEntry,
  OperatorProject,
  Page,
  ProductDetail,
  ProductStatus,
  Session,
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

export const apiAccessQuery = (project: number) =>
  queryOptions({
    queryKey: ['project', project, 'api-access'],
    queryFn: ({ signal }) => read<ApiAccess>(`${api}/projects/${project}/api-access`, signal),
  })

/** How many products have the status. */
export const productCountQuery = (project: number, status: ProductStatus) =>
  queryOptions({
    queryKey: ['project', project, 'product-count', status],
    queryFn: async ({ signal }) => {
      const path = `${api}/projects/${project}/products?page_size=1&status=${status}`
      return (await read<Page<unknown>>(path, signal)).count
    },
  })

export const newestChangesQuery = (project: number) =>
  queryOptions({
    queryKey: ['project', project, 'newest-changes'],
    queryFn: ({ signal }) =>
      read<Page<ProductDetail>>(
        `${api}/projects/${project}/products?expand=detail&ordering=-updated_at&page_size=6`,
        signal,
      ),
  })

/** What a call of the API would answer, for the project's own data. */
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
export const operatorProjectsQuery = (page: number) => operatorPage<OperatorProject>('projects', page)
export const usersQuery = (page: number) => operatorPage<User>('users', page)
export const auditQuery = (page: number) => operatorPage<AuditEntry>('audit', page)

export const pageSize = 20

function operatorPage<Item>(list: string, page: number, filters: Record<string, string> = {}) {
  const query = new URLSearchParams({ ...filters, page: String(page), page_size: String(pageSize) })
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

export const projectTokensQuery = (project: number) =>
  queryOptions({
    queryKey: ['operator', 'project', project, 'tokens'],
    queryFn: ({ signal }) => read<Page<Token>>(`${operator}/projects/${project}/tokens`, signal),
  })
