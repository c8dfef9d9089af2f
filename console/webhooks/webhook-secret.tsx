import { SecretDialog } from '../parts/dialogs/dialogs.tsx'
import { strings } from './strings.ts'

/** The signing secret of a new or rotated webhook. */
export function WebhookSecret({ secret, close }: { secret: string; close: () => void }) {
  return (
    <SecretDialog
      title={strings.secret.title}
      label={strings.secret.label}
      secret={secret}
      stored={strings.secret.stored}
      keep={strings.secret.keep}
      close={close}
    />
  )
}
