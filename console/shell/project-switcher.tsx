import { Menu, UnstyledButton } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { planName } from '../parts/format/plan-name.ts'
import { Icon } from '../parts/icons.tsx'
import { projectsFoundQuery } from '../queries.ts'
import { useSession } from '../session.ts'
import type { SessionProject } from '../wire.ts'
import styles from './shell.module.css'
import { strings } from './strings.ts'

const searchedFrom = 8
const pauseMilliseconds = 200

export function ProjectSwitcher({ current }: { current: SessionProject | undefined }) {
  const { project_count: count } = useSession()
  if (count === 0) return null
  return (
    <Menu width="target" position="bottom-start" shadow="md" withinPortal>
      <Menu.Target>
        <UnstyledButton className={styles.switcher}>
          <span className={styles.initial} aria-hidden="true">
            {current === undefined ? <Icon name="box" size={16} /> : initialOf(current.name)}
          </span>
          <span className={styles.switcherText}>
            <span className="unseen">{strings.switcher.project}</span>
            <span dir="auto" className={styles.switcherName}>
              {current?.name ?? strings.switcher.choose}
            </span>
            {current !== undefined && (
              <span className={styles.switcherPlan}>{strings.switcher.plan(planName(current.plan))}</span>
            )}
          </span>
          <span className={styles.switcherIcon}>
            <Icon name="chevrons" size={16} />
          </span>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown className={styles.switcherList}>
        <Choices current={current} isSearched={count >= searchedFrom} />
      </Menu.Dropdown>
    </Menu>
  )
}

function initialOf(name: string): string {
  const [first = ''] = name
  return first.toUpperCase()
}

type ChoicesProps = { current: SessionProject | undefined; isSearched: boolean }

/** The service searches, because there can be thousands of projects. */
function Choices({ current, isSearched }: ChoicesProps) {
  const navigate = useNavigate()
  const { projects: first, project_count: all } = useSession()
  const [search, setSearch] = useState('')
  const [wanted] = useDebouncedValue(search.trim(), pauseMilliseconds)
  const found = useQuery({ ...projectsFoundQuery(wanted), enabled: wanted !== '' }).data
  const { results: projects, count } =
    wanted === '' || found === undefined ? { results: first, count: all } : found
  return (
    <>
      {isSearched && (
        <Menu.Search
          aria-label={strings.switcher.search}
          placeholder={strings.switcher.search}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
      )}
      {projects.map(({ id, name, plan }) => (
        <Menu.Item
          key={id}
          rightSection={id === current?.id ? <Icon name="check" size={16} /> : null}
          onClick={() => navigate({ to: '/projects/$projectId', params: { projectId: id } })}
        >
          <bdi>{name}</bdi>
          <span className={styles.switcherPlan}>{strings.switcher.plan(planName(plan))}</span>
        </Menu.Item>
      ))}
      {projects.length < count && <Menu.Label>{strings.switcher.more(count - projects.length)}</Menu.Label>}
      {count === 0 && <Menu.Label>{strings.switcher.noMatch}</Menu.Label>}
    </>
  )
}
