import { Anchor, Skeleton, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { readInvitation } from '../changes.ts'
import mark from '../mark.svg'
import { ProblemError } from '../network.ts'
import { ProblemAlert } from '../parts/problem.tsx'
import type { Invitation } from '../wire.ts'
import { JoinProject } from './join-project.tsx'
import { SetPasswordForm } from './set-password-form.tsx'
import styles from './sign-in.module.css'
import { strings } from './strings.ts'

/** An invited user sets a password, or joins another project. */
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
        {query.data !== undefined && <Invited key={secret} secret={secret} invitation={query.data} />}
      </div>
    </main>
  )
}

function Invited({ secret, invitation }: { secret: string; invitation: Invitation }) {
  const { email, project } = invitation
  if (project === null) return <SetPasswordForm secret={secret} email={email} />
  return <JoinProject secret={secret} email={email} project={project} />
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
