import { Problem } from '../../platform/http/problems.ts'
import type { KeptForm } from '../../platform/http/request/idempotency.ts'
import { type SecretBox, secretOf } from '../../platform/secrets/encrypted-secret.ts'
import type { WebhookWithSecret } from './webhook.schema.ts'

/** A webhook whose response is kept for a repeated request: its secret is stored as that of the webhook is, encrypted. */
export function withSealedSecret(box: SecretBox, projectId: number): KeptForm<WebhookWithSecret> {
  return {
    seal: async ({ secret, ...webhook }) => ({ ...webhook, secret: await box.seal(projectId, secret) }),
    async open(kept) {
      const { secret, ...webhook } = kept as WebhookWithSecret
      const bytes = await box.open(projectId, secret)
      if (bytes === undefined)
        throw new Problem('idempotency_mismatch', {
          detail: `Webhook ${webhook.id} exists, but no configured key decrypts its first secret. Rotate the secret.`,
        })
      return { ...webhook, secret: secretOf(bytes) }
    },
  }
}
