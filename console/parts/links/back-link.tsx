import { Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Icon } from '../icons.tsx'
import styles from './back-link.module.css'

/** Above the page of one thing: to the list that it is in. */
export function BackLink({ to, list }: { to: string; list: string }) {
  return (
    <nav aria-label={list}>
      <Anchor component={Link} to={to} className={styles.back}>
        <Icon name="arrowLeft" size={16} /> Back to {list.toLowerCase()}
      </Anchor>
    </nav>
  )
}
