import { Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Icon } from '../icons.tsx'
import { strings } from '../strings.ts'
import styles from './back-link.module.css'

/** Links from a detail page back to its list. */
export function BackLink({ to, list }: { to: string; list: string }) {
  return (
    <nav aria-label={list}>
      <Anchor component={Link} to={to} className={styles.back}>
        <Icon name="arrowLeft" size={16} /> {strings.links.backTo(list.toLowerCase())}
      </Anchor>
    </nav>
  )
}
