import { UnstyledButton } from '@mantine/core'
import { useOverlays } from '../parts/dialogs/overlays-context.ts'
import { Icon } from '../parts/icons.tsx'
import { modKey } from '../parts/mod-key.ts'
import styles from './shell.module.css'
import { strings } from './strings.ts'

const shortcuts = 'Control+K Meta+K'

/** Opens the palette, and shows its shortcut. */
export function JumpButton() {
  const { jump } = useOverlays()
  return (
    <UnstyledButton className={styles.jump} aria-keyshortcuts={shortcuts} onClick={jump}>
      <Icon name="search" size={16} />
      {strings.jump}
      <span aria-hidden="true" className={styles.jumpKey}>
        {modKey('K')}
      </span>
    </UnstyledButton>
  )
}

/** For narrow screens. */
export function JumpIcon() {
  const { jump } = useOverlays()
  return (
    <UnstyledButton
      className={styles.jumpIcon}
      aria-label={strings.jump}
      aria-keyshortcuts={shortcuts}
      onClick={jump}
    >
      <Icon name="search" size={20} />
    </UnstyledButton>
  )
}
