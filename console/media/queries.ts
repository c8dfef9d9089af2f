import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { MediaAccess } from '../../src/access/projects/project.schema.ts'
import type { Storage } from '../../src/catalog/assets/asset.schema.ts'
import type { FileFilter, FileUses, MediaFile } from '../../src/console-api/media/media-files.schema.ts'
import { read } from '../network.ts'
import { listQuery } from '../queries.ts'
import type { Page } from '../wire.ts'

const path = (project: number) => `/console/api/projects/${project}/media-files`
export const filesKey = (project: number) => ['project', project, 'media-files'] as const

export const filesShown = 24

/** Read again while thumbnails are made. */
export const filesQuery = (project: number, only: FileFilter | undefined, page: number) =>
  queryOptions({
    queryKey: [...filesKey(project), 'list', only, page],
    queryFn: ({ signal }) =>
      read<Page<MediaFile>>(`${path(project)}?${listQuery({ only }, page, filesShown)}`, signal),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state: { data } }) =>
      data?.results.some(({ state }) => state === 'processing') ? 3_000 : false,
  })

export const storageQuery = (project: number) =>
  queryOptions({
    queryKey: [...filesKey(project), 'storage'],
    queryFn: ({ signal }) => read<Storage>(`/console/api/projects/${project}/assets/storage`, signal),
  })

export const accessQuery = (project: number) =>
  queryOptions({
    queryKey: [...filesKey(project), 'access'],
    queryFn: ({ signal }) =>
      read<{ media: MediaAccess }>(`/console/api/projects/${project}/media-access`, signal),
  })

export const usesQuery = (project: number, id: string) =>
  queryOptions({
    queryKey: [...filesKey(project), 'uses', id],
    queryFn: ({ signal }) => read<FileUses>(`/console/api/projects/${project}/assets/${id}/uses`, signal),
  })
