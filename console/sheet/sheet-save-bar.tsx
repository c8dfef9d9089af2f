import { Alert, Button } from '@mantine/core'
import { useState } from 'react'
import { ConfirmDialog } from '../parts/dialogs/dialogs.tsx'
import floating from '../parts/floating-bar.module.css'
import { Icon } from '../parts/icons.tsx'
import { modKey } from '../parts/mod-key.ts'
import { ProblemAlert } from '../parts/problem.tsx'
import type { Proposal } from '../wire.ts'
import styles from './grid/sheet.module.css'
import { isConflict, isInvalid, isReady } from './model/edits.ts'
import { mostDirectChanges } from './model/save-plan.ts'
import { strings } from './strings.ts'
import type { SheetEdits } from './use-edits.ts'

type Props = {
  edits: SheetEdits
  /** The products of this page. */
  shown: ReadonlySet<number>
  saving: { isPending: boolean; failure?: Error; proposal?: Proposal; save: () => void }
  openProposal: (proposal: Proposal) => void
}

/** Visible while something is unsaved. */
export function SheetSaveBar({ edits, shown, saving, openProposal }: Props) {
  const [isAsking, ask] = useState(false)
  const all = [...edits.editing.edits.values()]
  const count = (test: (edit: (typeof all)[number]) => boolean) => all.filter(test).length
  const ready = count(isReady)
  const invalid = count(isInvalid)
  const conflicts = count(isConflict)
  const elsewhere = new Set(all.flatMap(({ id }) => (shown.has(id) ? [] : [id]))).size
  const isProposed = ready > mostDirectChanges
  const { isPending, failure, proposal, save } = saving
  return (
    <>
      {failure !== undefined && <ProblemAlert title={strings.save.failed} error={failure} retry={save} />}
      {proposal !== undefined && (
        <Alert color="accent" role="status" icon={<Icon name="check" />} title={strings.save.proposedTitle}>
          <p>{strings.save.proposedText(invalid)}</p>
          <Button size="xs" onClick={() => openProposal(proposal)}>
            {strings.save.openProposal}
          </Button>
        </Alert>
      )}
      {all.length > 0 && (
        <section data-bottom-bar className={`${floating.bar} ${styles.save}`} aria-label={strings.save.label}>
          <p className={styles.saveText}>
            <strong>{strings.save.unsaved(all.length)}</strong>
            {invalid > 0 && <span className={styles.wrong}>{strings.save.invalid(invalid)}</span>}
            {conflicts > 0 && <span className={styles.wrong}>{strings.save.conflicts(conflicts)}</span>}
            {elsewhere > 0 && <span>{strings.save.elsewhere(elsewhere)}</span>}
            {isProposed && <span>{strings.save.proposeHint(mostDirectChanges)}</span>}
            {!edits.isStored && <span>{strings.save.notStored}</span>}
          </p>
          <Button variant="default" disabled={isPending} onClick={() => ask(true)}>
            {strings.save.discard}
          </Button>
          <Button
            loading={isPending}
            disabled={ready === 0}
            onClick={save}
            rightSection={<kbd className={styles.keys}>{modKey('S')}</kbd>}
          >
            {ready === 0
              ? strings.save.saveNone
              : isProposed
                ? strings.save.propose(ready)
                : strings.save.save(ready)}
          </Button>
        </section>
      )}
      {isAsking && (
        <ConfirmDialog
          title={strings.save.discardTitle}
          action={strings.save.discard}
          danger
          run={async () => {
            edits.discard()
            ask(false)
          }}
          close={() => ask(false)}
        >
          {strings.save.discardText(all.length)}
        </ConfirmDialog>
      )}
    </>
  )
}
