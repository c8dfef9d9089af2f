import styles from '../prompts.module.css'
import { strings } from '../strings.ts'

type Props = { before: string[]; after: string[] }

/** The added and removed variables, if any. */
export function VariableChanges({ before, after }: Props) {
  const groups = [
    { title: strings.compare.newVariables, names: after.filter((name) => !before.includes(name)) },
    { title: strings.compare.removedVariables, names: before.filter((name) => !after.includes(name)) },
  ].filter(({ names }) => names.length > 0)
  return groups.map(({ title, names }) => (
    <div key={title} className={styles.chips}>
      <span>{title}</span>
      {names.map((name) => (
        <code key={name}>{name}</code>
      ))}
    </div>
  ))
}
