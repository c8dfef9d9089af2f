import { Anchor, Skeleton, Title } from '@mantine/core'
import { hasLength, matchesField, useForm } from '@mantine/form'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { acceptInvitation, lookAtInvitation, signIn } from '../changes.ts'
import mark from '../mark.svg'
import { Form, useSubmission } from '../parts/form.tsx'
import { PasswordField } from '../parts/password-field.tsx'
import { ProblemAlert } from '../parts/problem.tsx'
import styles from './sign-in.module.css'

/** Somebody who was invited chooses a password, and is signed in with it. */
export function InvitationPage() {
  // Read once: it leaves the address when the page is done.
  const [secret] = useState(() => location.hash.slice(1))
  const query = useQuery({
    queryKey: ['invitation', secret],
    queryFn: () => lookAtInvitation(secret),
    retry: false,
    refetchOnWindowFocus: false,
    staleTime: Number.POSITIVE_INFINITY,
  })
  return (
    <main className={styles.page}>
      <title>Invitation · Catalog Service</title>
      <div className={styles.card}>
        <img src={mark} alt="" width={40} height={40} />
        <div>
          <Title order={1}>Welcome</Title>
          <p className={styles.lead}>to Catalog Service</p>
        </div>
        {query.error !== null && (
          <>
            <ProblemAlert title="This link opens nothing" error={query.error} />
            <Anchor component={Link} to="/sign-in">
              Go to the sign-in
            </Anchor>
          </>
        )}
        {query.isPending && <Skeleton height={220} radius="md" />}
        {query.data !== undefined && <PasswordForm secret={secret} email={query.data.email} />}
      </div>
    </main>
  )
}

function PasswordForm({ secret, email }: { secret: string; email: string }) {
  const router = useRouter()
  const queries = useQueryClient()
  const form = useForm({
    initialValues: { newPassword: '', again: '' },
    validate: {
      newPassword: hasLength({ min: 10, max: 128 }, 'Use 10 to 128 characters.'),
      again: matchesField('newPassword', 'This is not the same password.'),
    },
  })
  const submission = useSubmission(
    form,
    async ({ newPassword }) => {
      await acceptInvitation({ secret, newPassword })
      await signIn({ email, password: newPassword })
    },
    () => {
      queries.clear()
      router.history.replace('/')
    },
  )
  return (
    <Form submission={submission} action="Set password and sign in">
      <p className={styles.lead}>
        Choose a password for <bdi>{email}</bdi>.
      </p>
      {/* For password managers, which keep the password under this name. */}
      <input type="text" name="email" autoComplete="username" value={email} readOnly hidden />
      <PasswordField
        label="New password"
        description="At least 10 characters"
        autoComplete="new-password"
        data-autofocus
        {...form.getInputProps('newPassword')}
      />
      <PasswordField
        label="New password again"
        autoComplete="new-password"
        {...form.getInputProps('again')}
      />
    </Form>
  )
}
