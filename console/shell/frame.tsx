import { Drawer, UnstyledButton } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import type { ReactNode } from 'react'
import { Icon } from '../parts/icons.tsx'
import styles from './shell.module.css'
import { useArrival } from './use-arrival.ts'

type Props = {
  /** Names the parts beside the page to screen readers. */
  label: string
  brand: ReactNode
  /** On a narrow screen: the name of what the page belongs to. */
  where?: string | undefined
  /** What stands beside the page, and in the drawer; the copy says which of the two. */
  side: (copy: 'side' | 'drawer') => ReactNode
  /** What the bar of a narrow screen ends with. */
  tool?: ReactNode
  /** Where the reader is; another value is a new page. */
  place: string
  children: ReactNode
}

/** Navigation beside the page; below 900 px it moves into a drawer. */
export function Frame({ label, brand, where, side, tool, place, children }: Props) {
  const [opened, drawer] = useDisclosure(false)
  const main = useArrival(place, drawer.close)
  return (
    <div className={styles.shell}>
      <a href="#content" className={styles.skip}>
        Skip to content
      </a>
      <section aria-label={label} className={styles.bar}>
        <UnstyledButton onClick={drawer.open} aria-label="Open navigation" className={styles.burger}>
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
        closeButtonProps={{ 'aria-label': 'Close navigation' }}
      >
        <div className={styles.drawer}>{side('drawer')}</div>
      </Drawer>
      <main id="content" ref={main} tabIndex={-1} className={styles.main}>
        {children}
      </main>
    </div>
  )
}
