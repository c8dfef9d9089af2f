import { TextInput } from '@mantine/core'
import { type ReactNode, useId, useState } from 'react'
import { Icon } from '../../parts/icons.tsx'
import type { AttributeDefinition } from '../../wire.ts'
import styles from '../product.module.css'
import { strings } from '../strings.ts'

/** From this number on, the list scrolls in its card and has a search. */
const many = 25

type Props<Value> = {
  attributes: [name: string, value: Value][]
  defined: ReadonlyMap<string, AttributeDefinition>
  children: (name: string, value: Value) => ReactNode
}

/** Attributes under the groups of their definitions. Attributes without a group come first. */
export function AttributeGroups<Value>({ attributes, defined, children }: Props<Value>) {
  const [search, setSearch] = useState('')
  const isLong = attributes.length >= many
  const words = isLong ? search.trim().toLowerCase() : ''
  const found = attributes.filter(([name]) =>
    [name, defined.get(name)?.label ?? ''].some((text) => text.toLowerCase().includes(words)),
  )
  const groups = Map.groupBy(found, ([name]) => defined.get(name)?.group ?? '')
  const sorted = [...groups].sort(([one], [other]) => one.localeCompare(other))
  const lists = sorted.map(([group, members]) => (
    <Group key={group} name={group}>
      {members.map(([name, value]) => children(name, value))}
    </Group>
  ))
  return (
    <>
      {isLong && (
        <TextInput
          className={styles.find ?? ''}
          aria-label={strings.attributes.find(attributes.length)}
          placeholder={strings.attributes.find(attributes.length)}
          leftSection={<Icon name="search" size={16} />}
          value={search}
          onChange={({ currentTarget }) => setSearch(currentTarget.value)}
        />
      )}
      {isLong && found.length === 0 && <p className={styles.note}>{strings.attributes.noneFound}</p>}
      {isLong ? (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: without a control in it, only the focus lets the keyboard scroll it
        <section className={styles.many} tabIndex={0} aria-label={strings.attributes.list}>
          {lists}
        </section>
      ) : (
        lists
      )}
    </>
  )
}

function Group({ name, children }: { name: string; children: ReactNode }) {
  const id = useId()
  if (name === '')
    return (
      <ul className={styles.attributes} aria-label={strings.attributes.list}>
        {children}
      </ul>
    )
  return (
    <>
      <h3 id={id} className={styles.group}>
        <bdi>{name}</bdi>
      </h3>
      <ul className={styles.attributes} aria-labelledby={id}>
        {children}
      </ul>
    </>
  )
}
