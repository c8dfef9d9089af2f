import { Kbd, Modal } from '@mantine/core'
import { useMatches } from '@tanstack/react-router'
import { useRestoreFocus } from '../parts/dialogs/restore-focus.ts'
import styles from './keys-dialog.module.css'
import { keysEverywhere, keysOfPage } from './page-keys.ts'
import { strings } from './strings.ts'

/** The shortcuts of the current page. */
export function KeysDialog({ isViewer, close }: { isViewer: boolean; close: () => void }) {
  const route = useMatches({ select: (matches) => matches.at(-1)?.routeId ?? '' })
  useRestoreFocus()
  const keys = [...keysOfPage(route, isViewer), ...keysEverywhere]
  return (
    <Modal opened onClose={close} title={strings.keys.title} size="md">
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
