import { Tag } from '../../parts/badges.tsx'
import type { Prompt } from '../../wire.ts'
import styles from '../prompts.module.css'

export function labelsOf({ labels }: Pick<Prompt, 'labels'>, version: string): string[] {
  return Object.keys(labels).filter((label) => labels[label] === version)
}

/** The labels that point at one version; nothing where there are none. */
export function LabelTags({ prompt, version }: { prompt: Prompt; version: string }) {
  const labels = labelsOf(prompt, version)
  if (labels.length === 0 && version !== prompt.latest_version) return null
  return (
    <span className={styles.chips}>
      {version === prompt.latest_version && <Tag tone="gray">Latest</Tag>}
      {labels.map((label) => (
        <Tag key={label} tone="accent">
          {label}
        </Tag>
      ))}
    </span>
  )
}

/** Names in braces, as the text has them. */
export function VariableChips({ names }: { names: string[] }) {
  if (names.length === 0) return <span className={styles.dim}>None: the text is always the same.</span>
  return (
    <ul className={styles.chips} aria-label="Variables">
      {names.map((name) => (
        <li key={name}>
          <code>{name}</code>
        </li>
      ))}
    </ul>
  )
}
