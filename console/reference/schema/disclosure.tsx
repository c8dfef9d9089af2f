import { type ReactNode, useState } from 'react'
import { Icon } from '../../parts/icons.tsx'
import styles from './disclosure.module.css'

type Props = { summary: ReactNode; children: () => ReactNode; open?: boolean }

/** Renders its content on demand: a schema can be large, or refer to itself. */
export function Disclosure({ summary, children, open = false }: Props) {
  const [isOpen, setOpen] = useState(open)
  return (
    <details className={styles.details} open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <span className={styles.arrow}>
          <Icon name="chevron" size={14} />
        </span>
        {summary}
      </summary>
      {isOpen && <div className={styles.inside}>{children()}</div>}
    </details>
  )
}
