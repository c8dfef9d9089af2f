import type { MediaAccess } from '../../src/access/projects/project.schema.ts'
import { remove, write } from '../network.ts'

const path = (project: number) => `/console/api/projects/${project}`

export const deleteFile = (project: number, id: string) => remove(`${path(project)}/assets/${id}`)

/** Removes the file even if products show it. */
export const eraseFile = (project: number, id: string) => remove(`${path(project)}/assets/${id}?erase=true`)

export const setMediaAccess = (project: number, media: MediaAccess) =>
  write('PUT', `${path(project)}/media-access`, { media })
