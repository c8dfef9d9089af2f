import { write } from '../network.ts'
import type { Run, RunCreate, RunPreview } from '../wire.ts'
import { runsPath } from './queries.ts'

export const changeRun = (project: number, id: number, action: 'continue' | 'pause' | 'cancel') =>
  write<Run>('POST', runsPath(project, `/${id}/${action}`))
export const raiseBudget = (project: number, id: number, amount: number) =>
  write<Run>('POST', runsPath(project, `/${id}/raise`), { amount })

const startPath = (project: number, prompt: number) =>
  `/console/api/projects/${project}/prompts/${prompt}/runs`
export const previewRun = (project: number, prompt: number, body: RunCreate) =>
  write<RunPreview>('POST', startPath(project, prompt), { ...body, dry_run: true })
export const startRun = (project: number, prompt: number, body: RunCreate, key: string) =>
  write<Run>('POST', startPath(project, prompt), body, undefined, key)
