import { Button } from '@mantine/core'
import { fieldLabel } from '../../src/model/fields/field-paths.ts'
import styles from '../parts/forms/save-bar.module.css'
import { modKey } from '../parts/mod-key.ts'
import { strings } from './strings.ts'
import own from './worklist.module.css'

type Props = {
  changed: string[]
  isPending: boolean
  /** What to do, if nothing has changed yet. */
  hint?: string
  save: () => void
  skip: () => void
}

/** Save and skip buttons. Always visible, so that the layout does not shift between products. */
export function WorkBar({ changed, isPending, hint = strings.bar.hint, save, skip }: Props) {
  return (
    <section data-bottom-bar className={`${styles.bar} ${own.bar}`} aria-label={strings.bar.label}>
      <p className={styles.text}>
        {changed.length === 0 ? (
          hint
        ) : (
          <>
            <strong>{strings.bar.unsaved}</strong> {changed.map(fieldLabel).join(', ')}
          </>
        )}
      </p>
      <Button
        variant="default"
        onClick={skip}
        disabled={isPending}
        rightSection={<kbd className={styles.keys}>{modKey('⇧Enter')}</kbd>}
      >
        {strings.bar.skip}
      </Button>
      <Button
        onClick={save}
        loading={isPending}
        disabled={changed.length === 0 && !isPending}
        rightSection={<kbd className={styles.keys}>{modKey('Enter')}</kbd>}
      >
        {strings.bar.save}
      </Button>
    </section>
  )
}
