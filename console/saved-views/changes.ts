import { remove, write } from '../network.ts'
import type { SavedView } from '../wire.ts'

const of = (project: number) => `/console/api/projects/${project}/views`

export const saveView = (project: number, body: { name: string; query: string }) =>
  write<SavedView>('POST', of(project), body)
export const changeView = (project: number, id: number, body: { name?: string; query?: string }) =>
  write<SavedView>('PATCH', `${of(project)}/${id}`, body)
export const deleteView = (project: number, id: number) => remove(`${of(project)}/${id}`)
