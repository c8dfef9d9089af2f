import type { Writable } from '../../platform/database/database.ts'
import { Problem } from '../../platform/http/problems.ts'
import { lockProjectAccess } from '../projects/project.sql.ts'
import type { AccessRequest, NewAccessRequest } from './access-request.schema.ts'
import { insertRequest, lockRequest } from './access-request.sql.ts'

/** A project has at most one open request, and none once it has API access. */
export function requestAccess(
  database: Writable,
  projectId: number,
  createdBy: string,
  input: NewAccessRequest,
): Promise<AccessRequest> {
  return database.transaction(async (tx) => {
    if (await lockProjectAccess(tx, projectId)) throw new Problem('api_access_enabled')
    const id = await insertRequest(tx, projectId, { ...input, createdBy })
    if (id === undefined) throw new Problem('access_request_open')
    return (await lockRequest(tx, id)) as AccessRequest
  })
}
