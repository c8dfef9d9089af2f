import { apiAccess } from '../../access/projects/project-access.sql.ts'
import type { Scope } from '../../model/scopes.ts'
import type { BatchedRead } from '../../platform/database/batching/batch-reads.ts'
import type { Queryable } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'
import { notFound } from '../../platform/http/problems.ts'
import type { SecretCipher } from '../../platform/secrets/secret-cipher.ts'

/** What a delivery needs of a webhook, read anew for each: a change holds from its commit on. */
export type Target = {
  key: string
  project_id: number
  url: string
  types: string[] | null
  scopes: Scope[]
  /** Whether events are delivered: it is enabled, and its project has API access. */
  is_open: boolean
  secret: string
  old_secret: string | null
}

export type TargetKey = { projectId: number; webhookId: number }

const keyOf = ({ projectId, webhookId }: TargetKey) => `${projectId}/${webhookId}`

export const targetRead: BatchedRead<TargetKey, Target> = {
  keyOf,
  keyOfRow: ({ key }) => key,
  select: (keys) => sql`
    select webhook.project_id || '/' || webhook.id as key, webhook.project_id, webhook.url, webhook.types, webhook.scopes,
           webhook.disabled_reason is null and ${apiAccess} as is_open, webhook.secret,
           case when webhook.old_secret_until > clock_timestamp() then webhook.old_secret end as old_secret
    from webhooks as webhook
    join projects as project on project.id = webhook.project_id
    join plans as plan on plan.code = project.plan
    where (webhook.project_id, webhook.id) in (
      select * from unnest(${keys.map(({ projectId }) => projectId)}::bigint[], ${keys.map(({ webhookId }) => webhookId)}::bigint[]))`,
}

export async function requireTarget(
  database: Queryable,
  projectId: number,
  webhookId: number,
): Promise<Target> {
  const [target] = await database.query<Target>(targetRead.select([{ projectId, webhookId }]))
  if (target === undefined) throw notFound('webhook', webhookId)
  return target
}

/** What signs now: the secret, and during a rotation the one before. Undefined where the secret cannot be read. */
export async function secretsOf(cipher: SecretCipher, target: Target): Promise<Buffer[] | undefined> {
  const { project_id, secret, old_secret } = target
  const own = await cipher.decrypt(project_id, secret)
  if (own === undefined) return undefined
  const old = old_secret === null ? undefined : await cipher.decrypt(project_id, old_secret)
  return old === undefined ? [own] : [own, old]
}
