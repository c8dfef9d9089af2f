import { Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Icon } from '../parts/icons.tsx'
import styles from './prompts.module.css'

export function BackToPrompts({ project }: { project: number }) {
  return (
    <nav aria-label="Prompts">
      <Anchor component={Link} to={`/projects/${project}/prompts`} className={styles.back}>
        <Icon name="arrowLeft" size={16} /> Back to prompts
      </Anchor>
    </nav>
  )
}
