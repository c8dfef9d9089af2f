import { NativeSelect, Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { projectsFoundQuery } from '../queries.ts'
import { choicesOf } from './lists.ts'
import styles from './membership-fields.module.css'
import { strings } from './user-strings.ts'

const { none, ...memberRoles } = strings.userForm.roles
const roles = choicesOf(memberRoles, none)

/** By project ID. An empty role removes the membership. */
export type Roles = Record<string, { name: string; role: string }>

type Props = { roles: Roles; change: (roles: Roles) => void }

/** The user's role in each project, and a search to add projects. */
export function MembershipFields({ roles: chosen, change }: Props) {
  const id = useId()
  return (
    <section aria-labelledby={id} className={styles.fields}>
      <p id={id} className={styles.label}>
        {strings.userForm.memberships}
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
              aria-label={strings.userForm.roleIn(name)}
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

/** The service searches, because there can be thousands of projects. */
function AddProject({ isChosen, add }: AddProps) {
  const [search, setSearch] = useState('')
  const [wanted] = useDebouncedValue(search.trim(), pauseMilliseconds)
  const { data, isFetching } = useQuery(projectsFoundQuery(wanted))
  const choices = (data?.results ?? [])
    .map(({ id, name }) => ({ value: String(id), label: name }))
    .filter(({ value }) => !isChosen(value))
  return (
    <Select
      aria-label={strings.userForm.addProject}
      placeholder={strings.userForm.addProjectHint}
      data={choices}
      // The service already filtered, by words in any order.
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
      nothingFoundMessage={isFetching ? strings.userForm.searching : strings.userForm.noProject}
    />
  )
}
