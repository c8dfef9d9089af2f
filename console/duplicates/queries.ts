import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { read } from '../network.ts'
import { listQuery, pageSize } from '../queries.ts'
import type { DuplicateGroup, Page } from '../wire.ts'
import type { DuplicatesSearch } from './search.ts'

type Duplicates = Page<DuplicateGroup> & { complete: boolean }

/** Comparing all products takes seconds, so the list is read again only after a change on this page. */
export const duplicatesQuery = (project: number, { page = 1, reason }: DuplicatesSearch) =>
  queryOptions({
    queryKey: ['project', project, 'duplicates', reason, page],
    queryFn: ({ signal }) =>
      read<Duplicates>(
        `/console/api/projects/${project}/products/duplicates?${listQuery({ reason }, page, pageSize)}`,
        signal,
      ),
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  })
