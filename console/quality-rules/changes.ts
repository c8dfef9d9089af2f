import { read, remove, write } from '../network.ts'
import type { QualityPreview, QualityRule, QualityRules } from '../wire.ts'
import { strings } from './strings.ts'

const path = (project: number) => `/console/api/projects/${project}/quality-rules`

export const previewRules = (project: number, rules: QualityRule[]) =>
  write<QualityPreview>('POST', `${path(project)}/preview`, { rules })
export const resetRules = (project: number) => remove(path(project))

/** Fails if the rules changed since they were read. */
export async function saveRules(project: number, before: QualityRule[], rules: QualityRule[]) {
  const now = await read<QualityRules>(path(project))
  if (JSON.stringify(now.rules) !== JSON.stringify(before)) throw new Error(strings.rules.conflict)
  return write<QualityRules>('PUT', path(project), { rules })
}
