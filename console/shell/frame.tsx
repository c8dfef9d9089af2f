import { Drawer, UnstyledButton } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import type { ReactNode } from 'react'
import { Icon } from '../parts/icons.tsx'
import styles from './shell.module.css'
import { strings } from './strings.ts'
import { useArrival } from './use-arrival.ts'

type Props = {
  /** Names the bars for screen readers. */
  label: string
  brand: ReactNode
  /** On narrow screens: the project of the page. */
  where?: string | undefined
  /** The sidebar content. `copy` is where it is shown. */
  side: (copy: 'side' | 'drawer') => ReactNode
  /** The last control in the bar of narrow screens. */
  tool?: ReactNode
  /** A new value is a new page. */
  path: string
  children: ReactNode
}

/** A page with a sidebar, which moves into a drawer below 900 px. */
export function Frame({ label, brand, where, side, tool, path, children }: Props) {
  const [opened, drawer] = useDisclosure(false)
  const main = useArrival(path, drawer.close)
  return (
    <div className={styles.shell}>
      <a href="#content" className={styles.skip}>
        {strings.frame.skip}
      </a>
      <section aria-label={label} className={styles.bar}>
        <UnstyledButton
          onClick={drawer.open}
          aria-label={strings.frame.openNavigation}
          className={styles.burger}
        >
          <Icon name="menu" size={22} />
        </UnstyledButton>
        {brand}
        {where !== undefined && (
          <span dir="auto" className={styles.where}>
            {where}
          </span>
        )}
        {tool}
      </section>
      <section aria-label={label} className={styles.side}>
        <div className={styles.sideContent}>
          {brand}
          {side('side')}
        </div>
      </section>
      <Drawer
        opened={opened}
        onClose={drawer.close}
        title={brand}
        size={300}
        closeButtonProps={{ 'aria-label': strings.frame.closeNavigation }}
      >
        <div className={styles.drawer}>{side('drawer')}</div>
      </Drawer>
      <main id="content" ref={main} tabIndex={-1} className={styles.main}>
        {children}
      </main>
    </div>
  )
}
