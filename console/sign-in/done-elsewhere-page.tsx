import { Anchor, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useEffect } from 'react'
import mark from '../mark.svg'
import { notifyOtherTabs } from '../session.ts'
import styles from './sign-in.module.css'
import { strings } from './strings.ts'

/** Notifies the other tab, and closes this one if the browser lets it. */
export function DoneElsewherePage() {
  useEffect(() => {
    notifyOtherTabs('signed-in')
    window.close()
  }, [])
  return (
    <main className={styles.page}>
      <title>{strings.doneElsewhere.windowTitle}</title>
      <div className={styles.card}>
        <img src={mark} alt="" width={40} height={40} />
        <Title order={1}>{strings.doneElsewhere.title}</Title>
        <p className={styles.step}>{strings.doneElsewhere.text}</p>
        <Anchor component={Link} to="/">
          {strings.doneElsewhere.open}
        </Anchor>
      </div>
    </main>
  )
}
