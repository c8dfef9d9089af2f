import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { read, remove, write } from '../network.ts'
import { listQuery } from '../queries.ts'
import type { AuditEntry, Member, MemberInvitation, Page } from '../wire.ts'

export type MembersView = { page?: number; search?: string }
export type Role = Member['role']

const of = (project: number, path = '') => `/console/api/projects/${project}/members${path}`
export const membersKey = (project: number) => ['project', project, 'members']

export const membersQuery = (project: number, { page = 1, ...filters }: MembersView) =>
  queryOptions({
    queryKey: [...membersKey(project), filters, page],
    queryFn: ({ signal }) => read<Page<Member>>(`${of(project)}?${listQuery(filters, page)}`, signal),
    placeholderData: keepPreviousData,
  })

export const invitationsQuery = (project: number, page: number) =>
  queryOptions({
    queryKey: [...membersKey(project), 'invitations', page],
    queryFn: ({ signal }) =>
      read<Page<MemberInvitation>>(`${of(project, '/invitations')}?${listQuery({}, page)}`, signal),
    placeholderData: keepPreviousData,
  })

export const memberAuditQuery = (project: number, page: number) =>
  queryOptions({
    queryKey: [...membersKey(project), 'audit', page],
    queryFn: ({ signal }) =>
      read<Page<AuditEntry>>(`${of(project, '/audit')}?${listQuery({}, page)}`, signal),
    placeholderData: keepPreviousData,
  })

export type InvitedMember = MemberInvitation & { link: string }
export const inviteMember = (project: number, body: { email: string; role: Role }) =>
  write<InvitedMember>('POST', of(project, '/invitations'), body)
export const revokeInvitation = (project: number, id: number) => remove(of(project, `/invitations/${id}`))
export const changeRole = (project: number, user: number, role: Role) =>
  write<Member>('PATCH', of(project, `/${user}`), { role })
export const removeMember = (project: number, user: number) => remove(of(project, `/${user}`))
