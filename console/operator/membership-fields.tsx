import { NativeSelect, Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { projectsFoundQuery } from '../queries.ts'
import styles from './membership-fields.module.css'

const roles = [
  { value: '', label: 'No member' },
  { value: 'viewer', label: 'Viewer: reads' },
  { value: 'editor', label: 'Editor: writes and proposes' },
  { value: 'manager', label: 'Manager: applies, decides, keeps tokens' },
]

/** By the id of the project; without a role the person is no member any more. */
export type Roles = Record<string, { name: string; role: string }>

type Props = { roles: Roles; change: (roles: Roles) => void }

/** The role in each project of the person; others are found by name and added. */
export function MembershipFields({ roles: chosen, change }: Props) {
  const id = useId()
  return (
    <section aria-labelledby={id} className={styles.fields}>
      <p id={id} className={styles.label}>
        Member of
      </p>
      <AddProject
        isChosen={(project) => chosen[project] !== undefined}
        add={(project, name) => change({ ...chosen, [project]: { name, role: 'manager' } })}
      />
      <ul className={styles.list}>
        {Object.entries(chosen).map(([project, { name, role }]) => (
          <li key={project} className={styles.row}>
            <bdi className={styles.name}>{name}</bdi>
            <NativeSelect
              aria-label={`Role in ${name}`}
              data={roles}
              value={role}
              onChange={(event) =>
                change({ ...chosen, [project]: { name, role: event.currentTarget.value } })
              }
            />
          </li>
        ))}
      </ul>
    </section>
  )
}

type AddProps = { isChosen: (project: string) => boolean; add: (project: string, name: string) => void }

const pauseMilliseconds = 200

/** The service searches: there may be more projects than anybody would scroll through. */
function AddProject({ isChosen, add }: AddProps) {
  const [search, setSearch] = useState('')
  const [wanted] = useDebouncedValue(search.trim(), pauseMilliseconds)
  const { data, isFetching } = useQuery(projectsFoundQuery(wanted))
  const choices = (data?.results ?? [])
    .map(({ id, name }) => ({ value: String(id), label: name }))
    .filter(({ value }) => !isChosen(value))
  return (
    <Select
      aria-label="Add a project"
      placeholder="Add a project: type its name"
      data={choices}
      // What the service has found, by words in any order.
      filter={({ options }) => options}
      searchable
      searchValue={search}
      onSearchChange={setSearch}
      value={null}
      onChange={(value) => {
        const choice = choices.find((one) => one.value === value)
        if (choice !== undefined) add(choice.value, choice.label)
        setSearch('')
      }}
      nothingFoundMessage={isFetching ? 'Searching…' : 'No other project is called so'}
      comboboxProps={{ withinPortal: false }}
    />
  )
}
