import { Alert, Button, TextInput, Title } from '@mantine/core'
import { isNotEmpty, useForm } from '@mantine/form'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRouter, useSearch } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { signIn } from '../changes.ts'
import mark from '../mark.svg'
import { ProblemError } from '../network.ts'
import { PasswordField } from '../parts/forms/password-field.tsx'
import { Icon } from '../parts/icons.tsx'
import { ColorSchemeSwitch } from '../shell/color-scheme-switch.tsx'
import styles from './sign-in.module.css'

export function SignInPage() {
  return (
    <main className={styles.page}>
      <title>Sign in · Catalog Service</title>
      <div className={styles.card}>
        <img src={mark} alt="" width={40} height={40} />
        <div>
          <Title order={1}>Sign in</Title>
          <p className={styles.lead}>to Catalog Service</p>
        </div>
        <SignInForm />
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

function SignInForm() {
  const { next = '/' } = useSearch({ from: '/sign-in' })
  const router = useRouter()
  const queries = useQueryClient()
  const form = useForm({
    initialValues: { email: '', password: '' },
    validate: { email: isNotEmpty('Enter your email.'), password: isNotEmpty('Enter your password.') },
  })
  const email = useRef<HTMLInputElement>(null)
  useEffect(() => email.current?.focus(), [])
  const enter = useMutation({
    mutationFn: signIn,
    onSuccess: () => {
      queries.clear()
      router.history.push(next)
    },
    onError: () => form.getInputNode('password')?.focus(),
  })
  return (
    <form className={styles.form} noValidate onSubmit={form.onSubmit((values) => enter.mutate(values))}>
      <TextInput
        ref={email}
        label="Email"
        type="email"
        autoComplete="username"
        {...form.getInputProps('email')}
      />
      <PasswordField label="Password" autoComplete="current-password" {...form.getInputProps('password')} />
      <Button type="submit" size="md" fullWidth loading={enter.isPending}>
        Sign in
      </Button>
      {/* Below all else, so that nothing moves from under the pointer. */}
      {enter.error !== null && (
        <Alert color="red" role="alert" icon={<Icon name="alert" />}>
          {explain(enter.error)}
        </Alert>
      )}
    </form>
  )
}

function explain(error: Error): string {
  if (!(error instanceof ProblemError)) return error.message
  if (error.status === 429) {
    const wait = error.retryAfterSeconds
    return `Too many attempts. Wait ${wait === undefined ? 'a minute' : `${wait} seconds`}, then try again.`
  }
  if (error.status === 401 || error.status === 422)
    return 'Email or password is wrong. Check both and try again.'
  return error.message
}
