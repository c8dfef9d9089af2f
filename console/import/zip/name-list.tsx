import styles from '../import.module.css'
import { strings } from '../strings.ts'

const mostShown = 100

/** The first names of a long list. */
export function NameList({ names }: { names: string[] }) {
  return (
    <ul className={styles.names}>
      {names.slice(0, mostShown).map((name) => (
        <li key={name}>
          <bdi>{name}</bdi>
        </li>
      ))}
      {names.length > mostShown && <li>{strings.zip.more(names.length - mostShown)}</li>}
    </ul>
  )
}
