import { Alert } from '@mantine/core'
import { isProductVariable } from '../../../src/model/prompts/product-variable-names.ts'
import { Tag } from '../../parts/badges.tsx'
import type { Prompt } from '../../wire.ts'
import styles from '../prompts.module.css'
import { strings } from '../strings.ts'

export function labelsOf({ labels }: Pick<Prompt, 'labels'>, version: string): string[] {
  return Object.keys(labels).filter((label) => labels[label] === version)
}

/** The labels that point to a version, if any. */
export function LabelTags({ prompt, version }: { prompt: Prompt; version: string }) {
  const labels = labelsOf(prompt, version)
  if (labels.length === 0 && version !== prompt.latest_version) return null
  return (
    <span className={styles.chips}>
      {version === prompt.latest_version && <Tag tone="gray">{strings.versions.latest}</Tag>}
      {labels.map((label) => (
        <Tag key={label} tone="accent">
          {label}
        </Tag>
      ))}
    </span>
  )
}

/** Variables that a product does not provide. They are allowed, but they are often typos. */
export function UnprovidedVariables({ names }: { names: string[] }) {
  const unprovided = names.filter((name) => !isProductVariable(name))
  if (unprovided.length === 0) return null
  return (
    <Alert color="yellow" role="status" title={strings.fields.unprovided(unprovided)}>
      {strings.fields.unprovidedHint}
    </Alert>
  )
}

export function VariableChips({ names }: { names: string[] }) {
  if (names.length === 0) return <span className={styles.dim}>{strings.fields.noVariables}</span>
  return (
    <ul className={styles.chips} aria-label={strings.fields.variables}>
      {names.map((name) => (
        <li key={name}>
          <code>{name}</code>
        </li>
      ))}
    </ul>
  )
}
