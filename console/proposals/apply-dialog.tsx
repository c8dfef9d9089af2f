import { useQuery } from '@tanstack/react-query'
import { ConfirmDialog } from '../parts/dialogs/dialogs.tsx'
import type { Proposal } from '../wire.ts'
import styles from './apply-dialog.module.css'
import { openOutcomesQuery } from './queries.ts'
import { strings } from './strings.ts'

type Props = { project: number; proposal: Proposal; apply: () => void; close: () => void }

/** Shows how many products will change. */
export function ApplyDialog({ project, proposal, apply, close }: Props) {
  const { open } = proposal.summary.states
  const query = useQuery(openOutcomesQuery(project, proposal.id))
  return (
    <ConfirmDialog
      title={strings.apply.title(open)}
      action={strings.apply.action(open)}
      close={close}
      run={async () => {
        close()
        apply()
      }}
    >
      <p className={styles.lead}>
        {query.data === undefined ? strings.apply.open(open) : effect(query.data)}
      </p>
      <p className={styles.more}>{strings.apply.hint}</p>
    </ConfirmDialog>
  )
}

function effect({ created, updated }: { created: number; updated: number }): string {
  const { changed, created: added, changedAndCreated, nothing } = strings.apply
  if (created + updated === 0) return nothing
  if (created === 0) return changed(updated)
  return updated === 0 ? added(created) : changedAndCreated(updated, created)
}
