import { Kbd, Modal } from '@mantine/core'
import { useMatches } from '@tanstack/react-router'
import { useFocusBack } from '../parts/dialogs/focus-back.ts'
import styles from './keys-dialog.module.css'
import { keysEverywhere, keysOfPage } from './page-keys.ts'

/** The keys that hold where the reader is. */
export function KeysDialog({ isReader, close }: { isReader: boolean; close: () => void }) {
  const route = useMatches({ select: (matches) => matches.at(-1)?.routeId ?? '' })
  useFocusBack()
  const keys = [...keysOfPage(route, isReader), ...keysEverywhere]
  return (
    <Modal opened onClose={close} title="Keys" size="md">
      <dl className={styles.keys}>
        {keys.map(({ keys: names, meaning }) => (
          <div key={meaning}>
            <dt>
              {names.map((name) => (
                <Kbd key={name}>{name}</Kbd>
              ))}
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
    </Modal>
  )
}
