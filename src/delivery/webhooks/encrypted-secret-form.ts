import { Problem } from '../../platform/http/problems.ts'
import type { StoredForm } from '../../platform/http/request/idempotency.ts'
import { formatSecret, type SecretCipher } from '../../platform/secrets/secret-cipher.ts'
import type { WebhookWithSecret } from './webhook.schema.ts'

/** The form of a webhook in a stored response: its secret is encrypted. */
export function withEncryptedSecret(cipher: SecretCipher, projectId: number): StoredForm<WebhookWithSecret> {
  return {
    encrypt: async ({ secret, ...webhook }) => ({
      ...webhook,
      secret: await cipher.encrypt(projectId, secret),
    }),
    async decrypt(stored) {
      const { secret, ...webhook } = stored as WebhookWithSecret
      const bytes = await cipher.decrypt(projectId, secret)
      if (bytes === undefined)
        throw new Problem('idempotency_mismatch', {
          detail: `Webhook ${webhook.id} exists, but no configured key decrypts its first secret. Rotate the secret.`,
        })
      return { ...webhook, secret: formatSecret(bytes) }
    },
  }
}
