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
import { strings } from './strings.ts'

/** The invited user chooses a password and is signed in. */
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
      <title>{strings.invitation.windowTitle}</title>
      <div className={styles.card}>
        <img src={mark} alt="" width={40} height={40} />
        <div>
          <Title order={1}>{strings.invitation.title}</Title>
          <p className={styles.lead}>{strings.product}</p>
        </div>
        <InvitationError error={secret === '' ? incomplete : query.error} retry={() => query.refetch()} />
        {query.isLoading && <Skeleton height={220} radius="md" />}
        {query.data !== undefined && <PasswordForm key={secret} secret={secret} email={query.data.email} />}
      </div>
    </main>
  )
}

const incomplete = new Error(strings.invitation.incomplete)

/** Reads the secret from the URL. If the user opens another link in the same tab, the page stays and the hash changes. */
function useSecret(): string {
  const [secret, setSecret] = useState(() => location.hash.slice(1))
  useEffect(() => {
    const read = () => location.hash !== '' && setSecret(location.hash.slice(1))
    window.addEventListener('hashchange', read)
    return () => window.removeEventListener('hashchange', read)
  }, [])
  return secret
}

function InvitationError({ error, retry }: { error: Error | null; retry: () => void }) {
  if (error === null) return null
  const isOver =
    error === incomplete || (error instanceof ProblemError && error.code === 'invalid_invitation')
  return (
    <>
      <ProblemAlert error={error} {...(isOver ? { title: strings.invitation.invalid } : { retry })} />
      <Anchor component={Link} to="/sign-in">
        {strings.invitation.toSignIn}
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
