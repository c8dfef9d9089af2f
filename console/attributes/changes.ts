import { remove, write } from '../network.ts'
import { atField } from '../parts/problem.tsx'
import { proposeEdits } from '../products/changes.ts'
import type { AttributeDefinition } from '../wire.ts'
import { attributeFilter } from './labels.ts'
import { strings } from './strings.ts'

const path = (project: number, name?: string) =>
  `/console/api/projects/${project}/attributes${name === undefined ? '' : `/${encodeURIComponent(name)}`}`

export const createDefinition = (project: number, body: AttributeDefinition) =>
  write<AttributeDefinition>('POST', path(project), body).catch(atField('duplicate_name', '/name'))
export const changeDefinition = (project: number, body: AttributeDefinition) =>
  write<AttributeDefinition>('PATCH', path(project, body.name), body)
export const deleteDefinition = (project: number, name: string) => remove(path(project, name))

/** Proposes to rename the attribute in all products. */
export const proposeRename = (project: number, name: string, to: string) =>
  proposeEdits(project, {
    title: strings.rename.proposal(name, to),
    filter: new URLSearchParams(attributeFilter(name)).toString(),
    edits: [{ field: `attributes.${name}`, op: 'rename', value: to }],
  })
