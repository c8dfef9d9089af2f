import { useQuery } from '@tanstack/react-query'
import { ConfirmDialog } from '../parts/dialogs/dialogs.tsx'
import { counted, numberText } from '../parts/words/number-text.ts'
import type { Proposal } from '../wire.ts'
import styles from './apply-dialog.module.css'
import { openOutcomesQuery } from './queries.ts'

type Props = { project: number; proposal: Proposal; apply: () => void; close: () => void }

/** Says how many products change before any does. */
export function ApplyDialog({ project, proposal, apply, close }: Props) {
  const { open } = proposal.summary.states
  const query = useQuery(openOutcomesQuery(project, proposal.id))
  return (
    <ConfirmDialog
      title={`Apply ${counted(open, 'line')}?`}
      action={`Apply ${numberText(open)}`}
      close={close}
      run={async () => {
        close()
        apply()
      }}
    >
      <p className={styles.lead}>
        {query.data === undefined ? `${counted(open, 'line')} are open.` : effect(query.data)}
      </p>
      <p className={styles.more}>
        What somebody else has changed meanwhile is left alone and shown as a conflict. You can take all of it
        back afterwards.
      </p>
    </ConfirmDialog>
  )
}

function effect({ created, updated }: { created: number; updated: number }): string {
  const changed = `${counted(updated, 'product changes', 'products change')}`
  const made = `${counted(created, 'product is made', 'products are made')}`
  if (created + updated === 0) return 'No product changes: all of them are as proposed already.'
  if (created === 0) return `${changed}.`
  return updated === 0 ? `${made}.` : `${changed}, and ${made}.`
}
