import { useEffect } from 'react'
import { Icon } from '../parts/icons.tsx'
import { Picture } from '../parts/pictures/picture.tsx'
import { firstPicture } from '../parts/pictures/picture-source.ts'
import type { Entry, Group } from './entries.ts'
import styles from './palette.module.css'
import { strings } from './strings.ts'

export function optionId(list: string, entry: string): string {
  return `${list}-${entry.replace(/\W/g, '-')}`
}

type Props = {
  id: string
  groups: Group[]
  isSearching: boolean
  error: Error | null
  active: string | undefined
  choose: (entry: Entry) => void
}

export function Options({ id, groups, isSearching, error, active, choose }: Props) {
  useEffect(() => {
    if (active !== undefined)
      document.getElementById(optionId(id, active))?.scrollIntoView({ block: 'nearest' })
  }, [id, active])
  return (
    <div id={id} role="listbox" aria-label={strings.results} className={styles.list}>
      {groups.length === 0 && !isSearching && error === null && (
        // Screen readers get the status below.
        <div aria-hidden="true" className={styles.nothing}>
          {strings.empty}
        </div>
      )}
      {groups.map(({ name, entries }) => (
        // biome-ignore lint/a11y/useSemanticElements: a group of options is not a fieldset
        <div key={name} role="group" aria-labelledby={optionId(id, name)}>
          <div id={optionId(id, name)} className={styles.heading}>
            {name}
          </div>
          {entries.map((entry) => (
            <Option
              key={entry.id}
              id={optionId(id, entry.id)}
              entry={entry}
              isActive={entry.id === active}
              choose={choose}
            />
          ))}
        </div>
      ))}
    </div>
  )
}

type OptionProps = { id: string; entry: Entry; isActive: boolean; choose: (entry: Entry) => void }

function Option({ id, entry, isActive, choose }: OptionProps) {
  const { icon, media, label, hint } = entry
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the input has the focus and handles the keys
    <div
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={isActive}
      className={styles.option}
      // Keeps the focus in the input.
      onMouseDown={(event) => event.preventDefault()}
      onClick={() => choose(entry)}
    >
      {media === undefined ? (
        <Icon name={icon} size={16} />
      ) : (
        <Picture file={firstPicture(media)} form="mark" icon={icon} />
      )}
      <bdi className={styles.label}>{label}</bdi>
      {hint !== undefined && <bdi className={styles.hint}>{hint}</bdi>}
    </div>
  )
}
