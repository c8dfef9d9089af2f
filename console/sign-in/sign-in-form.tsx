import { Alert, Button, TextInput } from '@mantine/core'
import { isNotEmpty, useForm } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { signIn } from '../changes.ts'
import { ProblemError } from '../network.ts'
import { PasswordField } from '../parts/forms/password-field.tsx'
import { Icon } from '../parts/icons.tsx'
import styles from './sign-in.module.css'
import { strings } from './strings.ts'

type Props = {
  /** The only account that may sign in. Default: any account. */
  account?: string
  done: () => unknown
  /** Buttons next to the one that signs in. */
  children?: ReactNode
}

export function SignInForm({ account, done, children }: Props) {
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
  return (
    <form className={styles.form} noValidate onSubmit={form.onSubmit((values) => enter.mutate(values))}>
      <TextInput
        label={strings.form.email}
        type="email"
        autoComplete="username"
        readOnly={isDialog}
        variant={isDialog ? 'filled' : 'default'}
        autoFocus={!isDialog}
        data-mantine-stop-propagation={isDialog}
        {...form.getInputProps('email')}
      />
      <PasswordField
        label={strings.form.password}
        autoComplete="current-password"
        data-autofocus={isDialog || undefined}
        data-mantine-stop-propagation={isDialog}
        {...form.getInputProps('password')}
      />
      <div className={isDialog ? styles.buttons : styles.form}>
        {children}
        <Button type="submit" size={isDialog ? 'sm' : 'md'} loading={enter.isPending}>
          {strings.form.submit}
        </Button>
      </div>
      {/* Last, so that the button stays under the pointer. */}
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
  if (error.status === 429) return strings.form.tooMany(error.retryAfterSeconds)
  if (error.status === 401 || error.status === 422) return strings.form.wrong
  return error.message
}
