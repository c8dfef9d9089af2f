import { useForm } from '@mantine/form'
import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { acceptInvitation, signIn } from '../changes.ts'
import { Form, useSubmission } from '../parts/forms/form.tsx'
import { NewPasswordFields, newPassword } from '../parts/forms/new-password.tsx'
import styles from './sign-in.module.css'
import { strings } from './strings.ts'

type Props = { secret: string; email: string; failed?: (error: Error) => unknown }

/** The invited user chooses a password and is signed in. */
export function SetPasswordForm({ secret, email, failed = () => {} }: Props) {
  const router = useRouter()
  const queries = useQueryClient()
  const form = useForm({
    initialValues: newPassword.values,
    validate: newPassword.checks,
  })
  const submission = useSubmission(
    form,
    async ({ newPassword }) => {
      await acceptInvitation({ secret, newPassword }).catch((error: Error) => {
        failed(error)
        throw error
      })
      // The link no longer works. If this fails, the next page offers the sign-in.
      await signIn({ email, password: newPassword }).catch(() => undefined)
    },
    () => {
      queries.clear()
      router.history.replace('/')
    },
  )
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the form appears
  useEffect(() => form.getInputNode('newPassword')?.focus(), [])
  return (
    <Form submission={submission} action={strings.invitation.submit}>
      <p className={styles.lead}>
        {strings.invitation.choose} <bdi>{email}</bdi>
        {strings.invitation.chooseEnd}
      </p>
      {/* For password managers, which store the password under this name. */}
      <input type="text" name="email" autoComplete="username" value={email} readOnly hidden />
      <NewPasswordFields inputProps={form.getInputProps} />
    </Form>
  )
}
