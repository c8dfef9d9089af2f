import { Title } from '@mantine/core'
import { type ReactNode, useId } from 'react'
import styles from './page.module.css'
import { strings } from './strings.ts'

type PageProps = { title: string; lead?: ReactNode; actions?: ReactNode; children: ReactNode }

/** A screen: its title (also of the window), what it is for, what can be done. */
export function Page({ title, lead, actions, children }: PageProps) {
  return (
    <>
      <title>{strings.page.windowTitle(title)}</title>
      <div className={styles.head}>
        <div>
          <Title order={1}>
            <bdi>{title}</bdi>
          </Title>
          {lead !== undefined && <p className={styles.lead}>{lead}</p>}
        </div>
        {actions !== undefined && <div className={styles.actions}>{actions}</div>}
      </div>
      <div className={styles.body}>{children}</div>
    </>
  )
}

type CardProps = {
  /** Left out where the title of the page says it already; `label` names the part to screen readers then. */
  title?: string
  label?: string
  lead?: ReactNode
  actions?: ReactNode
  children: ReactNode
  flush?: boolean
}

/** A part of a screen, with a heading of its own; `flush` lets a table reach its edges. */
export function Card({ title, label, lead, actions, children, flush = false }: CardProps) {
  const id = useId()
  if (title === undefined)
    return (
      <section aria-label={label} className={styles.card}>
        <div className={flush ? undefined : styles.cardBody}>{children}</div>
      </section>
    )
  return (
    <section aria-labelledby={id} className={styles.card}>
      <div className={styles.cardHead}>
        <div>
          <Title order={2} id={id}>
            {title}
          </Title>
          {lead !== undefined && <p className={styles.cardLead}>{lead}</p>}
        </div>
        {actions !== undefined && <div className={styles.actions}>{actions}</div>}
      </div>
      <div className={flush ? undefined : styles.cardBody}>{children}</div>
    </section>
  )
}
