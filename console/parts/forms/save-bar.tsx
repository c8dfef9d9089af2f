import { Button } from '@mantine/core'
import { modKey } from '../mod-key.ts'
import { strings } from '../strings.ts'
import styles from './save-bar.module.css'

type Props = {
  action: string
  /** The labels of the unsaved fields. */
  changed: string[]
  isPending: boolean
  save: () => void
  discard?: () => void
}

const maxNamed = 3

/** Visible while something is unsaved. */
export function SaveBar({ action, changed, isPending, save, discard }: Props) {
  return (
    <section data-bottom-bar className={styles.bar} aria-label={strings.saveBar.label}>
      <p className={styles.text}>
        {changed.length > 0 && (
          <>
            <strong>{strings.saveBar.unsaved}</strong> {changed.slice(0, maxNamed).join(', ')}
            {changed.length > maxNamed && strings.saveBar.more(changed.length - maxNamed)}
          </>
        )}
      </p>
      {discard !== undefined && (
        <Button variant="default" onClick={discard} disabled={isPending}>
          {strings.saveBar.discard}
        </Button>
      )}
      <Button
        loading={isPending}
        onClick={save}
        rightSection={<kbd className={styles.keys}>{modKey('S')}</kbd>}
      >
        {action}
      </Button>
    </section>
  )
}
