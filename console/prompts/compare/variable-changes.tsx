import styles from '../prompts.module.css'

type Props = { before: string[]; after: string[] }

/** Which variables came and went; nothing where they are the same. */
export function VariableChanges({ before, after }: Props) {
  const groups = [
    { word: 'New variables', names: after.filter((name) => !before.includes(name)) },
    { word: 'Variables no longer used', names: before.filter((name) => !after.includes(name)) },
  ].filter(({ names }) => names.length > 0)
  return groups.map(({ word, names }) => (
    <div key={word} className={styles.chips}>
      <span>{word}:</span>
      {names.map((name) => (
        <code key={name}>{name}</code>
      ))}
    </div>
  ))
}
