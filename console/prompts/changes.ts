import { remove, write } from '../network.ts'
import type {
  NewPrompt,
  NewPromptVersion,
  Prompt,
  PromptChanges,
  PromptLabel,
  PromptVersionDetail,
} from '../wire.ts'

const of = (project: number) => `/console/api/projects/${project}/prompts`

export const createPrompt = (project: number, body: NewPrompt) => write<Prompt>('POST', of(project), body)
export const changePrompt = (project: number, id: number, body: PromptChanges) =>
  write<Prompt>('PATCH', `${of(project)}/${id}`, body)
/** If a version with this text exists, the service returns that version. */
export const addVersion = (project: number, id: number, body: NewPromptVersion) =>
  write<PromptVersionDetail>('POST', `${of(project)}/${id}/versions`, body)
export const pointLabel = (project: number, id: number, label: string, version_number: string) =>
  write<PromptLabel>('PUT', `${of(project)}/${id}/labels/${encodeURIComponent(label)}`, { version_number })
export const removeLabel = (project: number, id: number, label: string) =>
  remove(`${of(project)}/${id}/labels/${encodeURIComponent(label)}`)
