import { write } from './network.ts'
import type {
  AccessRequest,
  EntryResult,
  Invitation,
  InvitedUser,
  IssuedUser,
  NewUser,
  OperatorProject,
  RequiredRoles,
  Token,
  User,
  UserChanges,
} from './wire.ts'

const api = '/console/api'
const operator = `${api}/operator`
const auth = '/console/auth'

export const signIn = (body: { email: string; password: string }) =>
  write<EntryResult>('POST', `${auth}/sign-in/email`, body)
export const signOut = () => write<unknown>('POST', `${auth}/sign-out`)
export const changePassword = (body: { currentPassword: string; newPassword: string }) =>
  write<unknown>('POST', `${auth}/change-password`, { ...body, revokeOtherSessions: true })

export const readInvitation = (secret: string) => write<Invitation>('POST', `${auth}/invitation`, { secret })
export const acceptInvitation = (body: { secret: string; newPassword: string }) =>
  write<{ email: string }>('POST', `${auth}/accept-invitation`, body)
export const joinProject = (secret: string) =>
  write<{ project_id: number }>('POST', `${api}/invitations/accept`, { secret })
export const endOwnSession = (id: number) => write<unknown>('POST', `${api}/sessions/${id}/end`)
export const endOtherSessions = () => write<{ ended: number }>('POST', `${api}/sessions/end-others`)

export const requestAccess = (project: number, body: { name: string; email: string; purpose: string }) =>
  write<AccessRequest>('POST', `${api}/projects/${project}/access-requests`, body)
export type IssuedToken = { id: number; name: string; token: string }
export const showToken = (project: number, token: number) =>
  write<IssuedToken>('POST', `${api}/projects/${project}/tokens/${token}/show`)

const own = (project: number, path = '') => `${api}/projects/${project}/tokens${path}`
export const issueOwnToken = (project: number, body: NewToken) =>
  write<IssuedToken>('POST', own(project), body)
export const rotateOwnToken = (project: number, id: number, overlap: string) =>
  write<IssuedToken>('POST', own(project, `/${id}/rotate`), { overlap })
export const revokeOwnToken = (project: number, id: number) =>
  write<unknown>('POST', own(project, `/${id}/revoke`))

export const approveRequest = (id: number) =>
  write<AccessRequest & { token: Token }>('POST', `${operator}/access-requests/${id}/approve`)
export const declineRequest = (id: number, reason: string) =>
  write<AccessRequest>('POST', `${operator}/access-requests/${id}/decline`, { reason })

export const createProject = (body: { name: string; plan?: string; currency?: string }) =>
  write<OperatorProject>('POST', `${operator}/projects`, body)
export const changeProject = (
  id: number,
  body: { plan?: string; api_access?: string; rate_limit?: unknown; self_service_tokens?: string },
) => write<OperatorProject>('PATCH', `${operator}/projects/${id}`, body)

export type NewToken = { name: string; scopes?: string[]; expires_at?: string }
export const issueToken = (project: number, body: NewToken) =>
  write<IssuedToken>('POST', `${operator}/projects/${project}/tokens`, body)
export const rotateToken = (id: number, overlap: string) =>
  write<IssuedToken>('POST', `${operator}/tokens/${id}/rotate`, { overlap })
export const revokeToken = (id: number) => write<unknown>('POST', `${operator}/tokens/${id}/revoke`)

export const createUser = (body: NewUser) => write<IssuedUser>('POST', `${operator}/users`, body)
export const changeUser = (id: number, body: UserChanges) =>
  write<User>('PATCH', `${operator}/users/${id}`, body)
export const resetPassword = (id: number) =>
  write<{ password: string }>('POST', `${operator}/users/${id}/reset-password`)
export type InvitationLink = { link: string; expires_at: string }
export const inviteNewUser = (body: NewUser) => write<InvitedUser>('POST', `${operator}/invitations`, body)
export const inviteUser = (id: number) => write<InvitationLink>('POST', `${operator}/users/${id}/invite`)
export const disableUser = (id: number) => write<User>('POST', `${operator}/users/${id}/disable`)
export const enableUser = (id: number) => write<User>('POST', `${operator}/users/${id}/enable`)
export const deleteUser = (id: number) => write<User>('POST', `${operator}/users/${id}/delete`)
export const resetSecondFactor = (id: number) =>
  write<User>('POST', `${operator}/users/${id}/reset-second-factor`)
export const linkCompany = (id: number) => write<User>('POST', `${operator}/users/${id}/link-company`, {})
export const unlinkCompany = (id: number) => write<User>('POST', `${operator}/users/${id}/unlink-company`)
export const createCompanyUser = (body: NewUser) => write<User>('POST', `${operator}/company-users`, body)
export const requireSecondFactor = (roles: RequiredRoles['roles']) =>
  write<RequiredRoles>('PUT', `${operator}/second-factor-roles`, { roles })
export const endSessionsOf = (id: number) =>
  write<{ ended: number }>('POST', `${operator}/users/${id}/end-sessions`)
