import { remove, write, writeLong } from '../network.ts'
import { atField } from '../parts/problem.tsx'
import type { Category } from '../wire.ts'

const path = (project: number, id?: number) =>
  `/console/api/projects/${project}/categories${id === undefined ? '' : `/${id}`}`
/** Writes every product of the category, which can take a while. */
const mergeSeconds = 1_800

export type CategoryPlace = { name: string; parent: number | null; position: number }

export const createCategory = (project: number, body: CategoryPlace) =>
  write<Category>('POST', path(project), body).catch(atField('duplicate_name', '/name'))
export const renameCategory = (project: number, id: number, body: { name: string; position: number }) =>
  write<Category>('PATCH', path(project, id), body).catch(atField('duplicate_name', '/name'))
export const moveCategory = (project: number, id: number, parent: number | null) =>
  write<Category>('PATCH', path(project, id), { parent }).catch(atField('duplicate_name', '/parent'))

export type Merged = { into: number; products: number; children: number }
export const mergeCategory = (project: number, id: number, into: number) =>
  writeLong<Merged>(`${path(project, id)}/merge`, { into }, mergeSeconds).catch(
    atField('duplicate_name', '/into'),
  )
export const deleteCategory = (project: number, id: number) => remove(path(project, id))
