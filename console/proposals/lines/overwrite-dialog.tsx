import { useMarkets } from '../../markets/use-markets.ts'
import { ConfirmDialog } from '../../parts/dialogs/dialogs.tsx'
import type { ProposalLine } from '../../wire.ts'
import { strings } from '../strings.ts'
import { lineFieldLabel } from '../value-text.ts'
import { ShortValue } from './field-change.tsx'
import styles from './overwrite-dialog.module.css'

type Props = { lines: ProposalLine[]; overwrite: () => void; close: () => void }

/** Lists each value that would be overwritten. */
export function OverwriteDialog({ lines, overwrite, close }: Props) {
  const { markets } = useMarkets()
  return (
    <ConfirmDialog
      title={strings.overwrite.title(lines.length)}
      action={strings.overwrite.action(lines.length)}
      danger
      close={close}
      run={async () => {
        close()
        overwrite()
      }}
    >
      <p className={styles.lead}>{strings.overwrite.lead}</p>
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
                    strings.overwrite.newProduct
                  ) : (
                    <>
                      <bdi>{lineFieldLabel(field, markets)}</bdi>:{' '}
                      <del>
                        <ShortValue field={field} value={theirs} />
                      </del>{' '}
                      {strings.overwrite.becomes} <ShortValue field={field} value={ours} />
                    </>
                  )}
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ul>
      <p className={styles.lead}>{strings.overwrite.hint}</p>
    </ConfirmDialog>
  )
}
