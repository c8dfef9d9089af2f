import { Menu, UnstyledButton } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { Icon } from '../parts/icons.tsx'
import { planName } from '../parts/plan-name.ts'
import type { SessionProject } from '../wire.ts'
import styles from './shell.module.css'

type Props = { projects: SessionProject[]; current: SessionProject | undefined }

export function ProjectSwitcher({ projects, current }: Props) {
  const navigate = useNavigate()
  if (projects.length === 0) return null
  return (
    <Menu width="target" position="bottom-start" shadow="md" withinPortal>
      <Menu.Target>
        <UnstyledButton className={styles.switcher}>
          <span className={styles.initial} aria-hidden="true">
            {current === undefined ? <Icon name="box" size={16} /> : current.name.slice(0, 1).toUpperCase()}
          </span>
          <span className={styles.switcherText}>
            <span className="unseen">Project: </span>
            <span className={styles.switcherName}>{current?.name ?? 'Choose a project'}</span>
            {current !== undefined && (
              <span className={styles.switcherPlan}>{planName(current.plan)} plan</span>
            )}
          </span>
          <span className={styles.switcherIcon}>
            <Icon name="chevrons" size={16} />
          </span>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown className={styles.switcherList}>
        {projects.map(({ id, name, plan }) => (
          <Menu.Item
            key={id}
            rightSection={id === current?.id ? <Icon name="check" size={16} /> : null}
            onClick={() => navigate({ to: '/projects/$projectId', params: { projectId: id } })}
          >
            {name}
            <span className={styles.switcherPlan}>{planName(plan)} plan</span>
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
