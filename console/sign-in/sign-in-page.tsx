import { Alert, Title } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useRouter, useSearch } from '@tanstack/react-router'
import mark from '../mark.svg'
import { Icon } from '../parts/icons.tsx'
import { notifyOtherTabs } from '../session.ts'
import { ColorSchemeSwitch } from '../shell/color-scheme-switch.tsx'
import styles from './sign-in.module.css'
import { SignInForm } from './sign-in-form.tsx'

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
      <title>Sign in · Catalog Service</title>
      <div className={styles.card}>
        <img src={mark} alt="" width={40} height={40} />
        <div>
          <Title order={1}>Sign in</Title>
          <p className={styles.lead}>to Catalog Service</p>
        </div>
        {ended === true && (
          <Alert color="yellow" role="status" icon={<Icon name="alert" />} title="Your session ended">
            Sign in again to return to your page.
          </Alert>
        )}
        <SignInForm done={enter} />
      </div>
      <div className={styles.foot}>
        <p>
          No account, or the password is lost? The operator of this service makes accounts and resets
          passwords.
        </p>
        <ColorSchemeSwitch name="scheme" />
      </div>
    </main>
  )
}
