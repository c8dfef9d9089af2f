import { Alert, Button, TextInput } from '@mantine/core'
import { isNotEmpty, useForm } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import { signIn } from '../changes.ts'
import { ProblemError } from '../network.ts'
import { PasswordField } from '../parts/forms/password-field.tsx'
import { Icon } from '../parts/icons.tsx'
import type { EntryResult } from '../wire.ts'
import styles from './sign-in.module.css'
import { strings } from './strings.ts'

type Props = {
  /** The only account that may sign in. Default: any account. */
  account?: string | undefined
  done: (result: EntryResult) => unknown
  /** Another way to sign in comes first. */
  isSecondary?: boolean
  /** Buttons next to the one that signs in. */
  children?: ReactNode
}

/** Email and password. */
export function PasswordForm({ account, done, isSecondary = false, children }: Props) {
  const form = useForm({
    initialValues: { email: account ?? '', password: '' },
    validate: {
      email: isNotEmpty(strings.form.emailMissing),
      password: isNotEmpty(strings.form.passwordMissing),
    },
  })
  const enter = useMutation({
    mutationFn: signIn,
    onSuccess: done,
    onError: () => form.getInputNode('password')?.focus(),
  })
  const isDialog = account !== undefined
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, because the form appears after its dialog
  useEffect(() => {
    if (isDialog) form.getInputNode('password')?.focus()
  }, [])
  return (
    <form className={styles.form} noValidate onSubmit={form.onSubmit((values) => enter.mutate(values))}>
      <TextInput
        label={strings.form.email}
        type="email"
        autoComplete="username webauthn"
        readOnly={isDialog}
        variant={isDialog ? 'filled' : 'default'}
        autoFocus={!isDialog}
        data-mantine-stop-propagation={isDialog}
        {...form.getInputProps('email')}
      />
      <PasswordField
        label={strings.form.password}
        autoComplete="current-password"
        data-mantine-stop-propagation={isDialog}
        {...form.getInputProps('password')}
      />
      <div className={isDialog ? styles.buttons : styles.form}>
        {children}
        <Button
          type="submit"
          size={isDialog ? 'sm' : 'md'}
          variant={isSecondary ? 'default' : 'filled'}
          loading={enter.isPending}
        >
          {strings.form.submit}
        </Button>
      </div>
      {/* Last, so that the button stays under the pointer. */}
      {enter.error !== null && <SignInError error={enter.error} />}
    </form>
  )
}

export function SignInError({ error }: { error: Error }) {
  return (
    <Alert color="red" role="alert" icon={<Icon name="alert" />}>
      {explain(error)}
    </Alert>
  )
}

function explain(error: Error): string {
  if (!(error instanceof ProblemError)) return error.message
  if (error.status === 429) return strings.form.tooMany(error.retryAfterSeconds)
  if (error.code === 'wrong_credentials' || error.status === 422) return strings.form.wrong
  return error.message
}
