import { NativeSelect, TextInput } from '@mantine/core'
import { useId, useState } from 'react'
import type { SessionProject } from '../wire.ts'
import styles from './membership-fields.module.css'

const roles = [
  { value: '', label: 'No member' },
  { value: 'viewer', label: 'Viewer: reads' },
  { value: 'editor', label: 'Editor: writes and proposes' },
  { value: 'manager', label: 'Manager: applies, decides, keeps tokens' },
]
const searchedFrom = 8

export type Roles = Record<string, string>

type Props = { projects: SessionProject[]; roles: Roles; change: (roles: Roles) => void }

/** The role in each project; of many projects those that a search finds. */
export function MembershipFields({ projects, roles: chosen, change }: Props) {
  const id = useId()
  const [search, setSearch] = useState('')
  const found = projects.filter(({ name }) => name.toLowerCase().includes(search.trim().toLowerCase()))
  return (
    <section aria-labelledby={id} className={styles.fields}>
      <p id={id} className={styles.label}>
        Member of
      </p>
      {projects.length >= searchedFrom && (
        <TextInput
          aria-label="Search projects"
          placeholder="Search projects"
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
      )}
      <ul className={styles.list}>
        {found.map((project) => (
          <li key={project.id} className={styles.row}>
            <bdi className={styles.name}>{project.name}</bdi>
            <NativeSelect
              aria-label={`Role in ${project.name}`}
              data={roles}
              value={chosen[project.id] ?? ''}
              onChange={(event) => change({ ...chosen, [project.id]: event.currentTarget.value })}
            />
          </li>
        ))}
      </ul>
    </section>
  )
}
