import { remove, write } from '../network.ts'
import { atField } from '../parts/problem.tsx'
import type { SavedView } from '../wire.ts'

const of = (project: number) => `/console/api/projects/${project}/saved-views`
const atName = atField('duplicate_name', '/name')

export const saveView = (project: number, body: { name: string; query: string; shared: boolean }) =>
  write<SavedView>('POST', of(project), body).catch(atName)
export const changeView = (
  project: number,
  id: number,
  body: { name?: string; query?: string; shared?: boolean },
) => write<SavedView>('PATCH', `${of(project)}/${id}`, body).catch(atName)
export const deleteView = (project: number, id: number) => remove(`${of(project)}/${id}`)
