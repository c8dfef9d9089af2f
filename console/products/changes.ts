import { write } from '../network.ts'
import type { Edit, Proposal } from '../wire.ts'

/** Proposes edits to all products that match the filter. Nothing changes until the proposal is applied. */
export const proposeEdits = (project: number, body: { title: string; filter: string; edits: Edit[] }) =>
  write<Proposal>('POST', `/console/api/projects/${project}/proposals/from-filter`, body)
