import { SecretDialog } from '../parts/dialogs/dialogs.tsx'

/** The signing secret of a new or rotated webhook. */
export function WebhookSecret({ secret, close }: { secret: string; close: () => void }) {
  return (
    <SecretDialog
      title="Signing secret"
      label="Secret"
      secret={secret}
      stored="It is stored encrypted, to sign events with"
      keep="Give it to the receiver, which checks each delivery by it."
      close={close}
    />
  )
}
