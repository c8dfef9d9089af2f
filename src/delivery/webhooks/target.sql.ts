import { apiAccess } from '../../access/projects/project-access.sql.ts'
import type { Scope } from '../../model/scopes.ts'
import type { BatchedRead } from '../../platform/database/batching/batch-reads.ts'
import type { Queryable } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'
import { notFound } from '../../platform/http/problems.ts'
import type { SecretCipher } from '../../platform/secrets/secret-cipher.ts'

/** What a delivery needs of a webhook, read before each event so that changes apply from their commit on. */
export type Target = {
  key: string
  project_id: number
  url: string
  types: string[] | null
  scopes: Scope[]
  /** Whether the webhook is enabled and its project has API access. */
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

/** The secrets that sign now: during a rotation, also the previous one. Undefined if the secret cannot be decrypted. */
export async function decryptSecrets(cipher: SecretCipher, target: Target): Promise<Buffer[] | undefined> {
  const { project_id, secret, old_secret } = target
  const current = await cipher.decrypt(project_id, secret)
  if (current === undefined) return undefined
  const previous = old_secret === null ? undefined : await cipher.decrypt(project_id, old_secret)
  return previous === undefined ? [current] : [current, previous]
}
