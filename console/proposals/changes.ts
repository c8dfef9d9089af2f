import { write, writeLong } from '../network.ts'
import type { Proposal, ProposalLine } from '../wire.ts'

const path = (project: number, id: number) => `/console/api/projects/${project}/proposals/${id}`
/** 100,000 lines take minutes. */
const applySeconds = 1_800

/** The console applies only the revision that it shows. */
export type Applying = { lines?: number[]; overwrite?: boolean; revision: number }

export const applyProposal = (project: number, id: number, body: Applying) =>
  writeLong<Proposal>(`${path(project, id)}/apply`, body, applySeconds)
export const discardProposal = (project: number, id: number, body: { lines?: number[] } = {}) =>
  write<Proposal>('POST', `${path(project, id)}/discard`, body)
export const editLine = (
  project: number,
  id: number,
  line: number,
  body: { patch: object; revision: number },
) => write<ProposalLine>('PATCH', `${path(project, id)}/lines/${line}`, body)
/** Proposes to revert the applied lines. The service prepares the lines in the background. */
export const revertProposal = (project: number, id: number) =>
  write<Proposal>('POST', `${path(project, id)}/revert`, {})
