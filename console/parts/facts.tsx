import type { ReactNode } from 'react'
import styles from './facts.module.css'

type Props = {
  facts: Record<string, ReactNode>
  /** Replaces the default layout of one row per fact. */
  className?: string | undefined
}

/** Names and values in the given order. */
export function Facts({ facts, className = styles.facts }: Props) {
  return (
    <dl className={className}>
      {Object.entries(facts).map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
