import { remove } from '../network.ts'

export const deleteFile = (project: number, id: string) =>
  remove(`/console/api/projects/${project}/assets/${id}`)
