import { ConfirmDialog } from '../parts/dialogs/dialogs.tsx'
import { counted } from '../parts/words/number-text.ts'
import type { ProposalLine } from '../wire.ts'
import { ShortValue } from './field-change.tsx'
import styles from './overwrite-dialog.module.css'
import { fieldName } from './value-text.ts'

type Props = { lines: ProposalLine[]; overwrite: () => void; close: () => void }

/** Names each value of somebody else that would be lost. */
export function OverwriteDialog({ lines, overwrite, close }: Props) {
  return (
    <ConfirmDialog
      title={`Overwrite ${counted(lines.length, 'product')} with ours?`}
      action="Overwrite"
      danger
      close={close}
      run={async () => {
        close()
        overwrite()
      }}
    >
      <p className={styles.lead}>Somebody else has written these values since. They are lost:</p>
      <ul className={styles.lost}>
        {lines.map((line) => (
          <li key={line.line}>
            <strong>
              <bdi>{line.sku}</bdi>
            </strong>
            <ul>
              {Object.entries(line.conflicts ?? {}).map(([field, { base, theirs, ours }]) => (
                <li key={field}>
                  {field === 'sku' && base === null ? (
                    'The product that was made with this SKU gets the values of the proposal.'
                  ) : (
                    <>
                      <bdi>{fieldName(field).name}</bdi>:{' '}
                      <del>
                        <ShortValue field={field} value={theirs} />
                      </del>{' '}
                      becomes <ShortValue field={field} value={ours} />
                    </>
                  )}
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ul>
      <p className={styles.lead}>The history of each product keeps them, and you can take this back.</p>
    </ConfirmDialog>
  )
}
