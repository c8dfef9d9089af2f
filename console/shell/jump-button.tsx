import { UnstyledButton } from '@mantine/core'
import { useOverlays } from '../parts/dialogs/overlays-context.ts'
import { Icon } from '../parts/icons.tsx'
import { modKey } from '../parts/mod-key.ts'
import styles from './shell.module.css'

const shortcuts = 'Control+K Meta+K'

/** Opens the palette, and tells the key that does. */
export function JumpButton() {
  const { jump } = useOverlays()
  return (
    <UnstyledButton className={styles.jump} aria-keyshortcuts={shortcuts} onClick={jump}>
      <Icon name="search" size={16} />
      Jump to…
      <span aria-hidden="true" className={styles.jumpKey}>
        {modKey('K')}
      </span>
    </UnstyledButton>
  )
}

/** The same where there is little room. */
export function JumpIcon() {
  const { jump } = useOverlays()
  return (
    <UnstyledButton
      className={styles.jumpIcon}
      aria-label="Jump to…"
      aria-keyshortcuts={shortcuts}
      onClick={jump}
    >
      <Icon name="search" size={20} />
    </UnstyledButton>
  )
}
