import { Alert, Title } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useRouter, useSearch } from '@tanstack/react-router'
import mark from '../mark.svg'
import { Icon } from '../parts/icons.tsx'
import { notifyOtherTabs } from '../session.ts'
import { ColorSchemeSwitch } from '../shell/color-scheme-switch.tsx'
import styles from './sign-in.module.css'
import { SignInForm } from './sign-in-form.tsx'
import { strings } from './strings.ts'

export function SignInPage() {
  const { next = '/', ended } = useSearch({ from: '/sign-in' })
  const router = useRouter()
  const queries = useQueryClient()
  const enter = () => {
    notifyOtherTabs('signed-in')
    queries.clear()
    router.history.push(next)
  }
  return (
    <main className={styles.page}>
      <title>{strings.page.windowTitle}</title>
      <div className={styles.card}>
        <img src={mark} alt="" width={40} height={40} />
        <div>
          <Title order={1}>{strings.page.title}</Title>
          <p className={styles.lead}>{strings.product}</p>
        </div>
        {ended === true && (
          <Alert color="yellow" role="status" icon={<Icon name="alert" />} title={strings.page.ended}>
            {strings.page.endedHint}
          </Alert>
        )}
        <SignInForm done={enter} />
      </div>
      <div className={styles.foot}>
        <p>{strings.page.help}</p>
        <ColorSchemeSwitch name="scheme" />
      </div>
    </main>
  )
}
