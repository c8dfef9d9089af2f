import { Anchor, Skeleton, Title } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { acceptInvitation, readInvitation, signIn } from '../changes.ts'
import mark from '../mark.svg'
import { ProblemError } from '../network.ts'
import { Form, useSubmission } from '../parts/forms/form.tsx'
import { NewPasswordFields, newPassword } from '../parts/forms/new-password.tsx'
import { ProblemAlert } from '../parts/problem.tsx'
import styles from './sign-in.module.css'

/** Somebody who was invited chooses a password, and is signed in with it. */
export function InvitationPage() {
  const secret = useSecret()
  const query = useQuery({
    queryKey: ['invitation', secret],
    queryFn: () => readInvitation(secret),
    enabled: secret !== '',
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
        <Refused error={secret === '' ? incomplete : query.error} retry={() => query.refetch()} />
        {query.isLoading && <Skeleton height={220} radius="md" />}
        {query.data !== undefined && <PasswordForm key={secret} secret={secret} email={query.data.email} />}
      </div>
    </main>
  )
}

const incomplete = new Error('The link has lost its end; copy all of it, or ask the operator for a new one.')

/** Read at the start: it leaves the address when the page is done. Whoever opens another link in the same tab stays on the page. */
function useSecret(): string {
  const [secret, setSecret] = useState(() => location.hash.slice(1))
  useEffect(() => {
    const read = () => location.hash !== '' && setSecret(location.hash.slice(1))
    window.addEventListener('hashchange', read)
    return () => window.removeEventListener('hashchange', read)
  }, [])
  return secret
}

function Refused({ error, retry }: { error: Error | null; retry: () => void }) {
  if (error === null) return null
  const isOver =
    error === incomplete || (error instanceof ProblemError && error.code === 'invalid_invitation')
  return (
    <>
      <ProblemAlert error={error} {...(isOver ? { title: 'This link opens nothing' } : { retry })} />
      <Anchor component={Link} to="/sign-in">
        Go to the sign-in
      </Anchor>
    </>
  )
}

function PasswordForm({ secret, email }: { secret: string; email: string }) {
  const router = useRouter()
  const queries = useQueryClient()
  const form = useForm({
    initialValues: newPassword.values,
    validate: newPassword.checks,
  })
  const submission = useSubmission(
    form,
    async ({ newPassword }) => {
      await acceptInvitation({ secret, newPassword })
      // The link is used up now: where this fails, the page that follows offers to sign in.
      await signIn({ email, password: newPassword }).catch(() => undefined)
    },
    () => {
      queries.clear()
      router.history.replace('/')
    },
  )
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the form has come
  useEffect(() => form.getInputNode('newPassword')?.focus(), [])
  return (
    <Form submission={submission} action="Set password and sign in">
      <p className={styles.lead}>
        Choose a password for <bdi>{email}</bdi>.
      </p>
      {/* For password managers, which keep the password under this name. */}
      <input type="text" name="email" autoComplete="username" value={email} readOnly hidden />
      <NewPasswordFields inputProps={form.getInputProps} />
    </Form>
  )
}
