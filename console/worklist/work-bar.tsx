import { Button } from '@mantine/core'
import { fieldLabel } from '../../src/model/fields/field-paths.ts'
import styles from '../parts/forms/save-bar.module.css'
import { modKey } from '../parts/mod-key.ts'
import own from './worklist.module.css'

type Props = { changed: string[]; isPending: boolean; save: () => void; skip: () => void }

/** What to do with the product in sight; always there, so that nothing moves from one product to the next. */
export function WorkBar({ changed, isPending, save, skip }: Props) {
  return (
    <section data-bottom-bar className={`${styles.bar} ${own.bar}`} aria-label="Save or skip">
      <p className={styles.text}>
        {changed.length === 0 ? (
          'Fill what the rule asks for, or skip the product.'
        ) : (
          <>
            <strong>Unsaved:</strong> {changed.map(fieldLabel).join(', ')}
          </>
        )}
      </p>
      <Button
        variant="default"
        onClick={skip}
        disabled={isPending}
        rightSection={<kbd className={styles.keys}>{modKey('⇧Enter')}</kbd>}
      >
        Skip
      </Button>
      <Button
        onClick={save}
        loading={isPending}
        disabled={changed.length === 0 && !isPending}
        rightSection={<kbd className={styles.keys}>{modKey('Enter')}</kbd>}
      >
        Save and next
      </Button>
    </section>
  )
}
