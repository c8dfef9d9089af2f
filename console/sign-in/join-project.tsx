import { Alert, Button, SegmentedControl } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { joinProject } from '../changes.ts'
import { ProblemError } from '../network.ts'
import { Icon } from '../parts/icons.tsx'
import { ProblemAlert } from '../parts/problem.tsx'
import { sessionQuery, signedInQuery } from '../queries.ts'
import { notifyOtherTabs } from '../session.ts'
import type { Invitation } from '../wire.ts'
import { SetPasswordForm } from './set-password-form.tsx'
import styles from './sign-in.module.css'
import { SignInMethods } from './sign-in-methods.tsx'
import { strings } from './strings.ts'

type Props = { secret: string; email: string; project: NonNullable<Invitation['project']> }

/** The invited person joins with an account, or creates one. The page does not know whether the email has an account. */
export function JoinProject({ secret, email, project }: Props) {
  const [way, setWay] = useState<'new' | 'known'>('new')
  const [isRefused, setRefused] = useState(false)
  const isOwn = useSignedInEmail() === email
  const join = useJoin(secret)
  const enter = async () => {
    notifyOtherTabs('signed-in')
    await join.mutateAsync().catch(() => undefined)
  }
  return (
    <>
      <p className={styles.lead}>{strings.join.lead(project.name, strings.join.roles[project.role])}</p>
      {join.error !== null && <ProblemAlert error={join.error} />}
      {isOwn ? (
        <Button onClick={() => join.mutate()} loading={join.isPending}>
          {strings.join.join(email)}
        </Button>
      ) : (
        <>
          <SegmentedControl
            fullWidth
            aria-label={strings.join.way}
            value={way}
            onChange={(value) => setWay(value as typeof way)}
            data={[
              { value: 'new', label: strings.join.isNew },
              { value: 'known', label: strings.join.isKnown },
            ]}
          />
          {way === 'known' ? (
            <>
              {isRefused && (
                <Alert color="yellow" role="status" icon={<Icon name="alert" />}>
                  {strings.join.refused}
                </Alert>
              )}
              <SignInMethods account={email} done={enter} />
            </>
          ) : (
            <SetPasswordForm
              secret={secret}
              email={email}
              failed={(error) => {
                if (!isKnownEmail(error)) return
                setRefused(true)
                setWay('known')
              }}
            />
          )}
        </>
      )}
    </>
  )
}

function isKnownEmail(error: Error): boolean {
  return error instanceof ProblemError && error.code === 'invitation_needs_sign_in'
}

/** Null without a session. A sign-in in another tab or window updates it. */
function useSignedInEmail(): string | null | undefined {
  const queries = useQueryClient()
  const read = async () => {
    const { signed_in } = await queries.fetchQuery(signedInQuery)
    if (!signed_in) return null
    return (await queries.fetchQuery({ ...sessionQuery, staleTime: 0 })).user.email
  }
  return useQuery({ queryKey: [...signedInQuery.queryKey, 'email'], queryFn: read, retry: false }).data
}

function useJoin(secret: string) {
  const router = useRouter()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: () => joinProject(secret),
    onSuccess: ({ project_id }) => {
      queries.clear()
      router.history.replace(`/projects/${project_id}`)
    },
  })
}
