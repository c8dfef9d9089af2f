import { Alert, Title } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useRouter, useSearch } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import mark from '../mark.svg'
import { Icon } from '../parts/icons.tsx'
import { notifyOtherTabs } from '../session.ts'
import { ColorSchemeSwitch } from '../shell/color-scheme-switch.tsx'
import type { EntryResult } from '../wire.ts'
import { readSecondFactor } from './changes.ts'
import styles from './sign-in.module.css'
import { SignInMethods } from './sign-in-methods.tsx'
import { strings } from './strings.ts'

type Waiting = { isKnown: boolean; methods?: EntryResult['second_factor'] }

/** After a sign-in with a company account, the second factor may be missing. */
function useWaitingStep(isAsked: boolean): Waiting {
  const [waiting, setWaiting] = useState<Waiting>({ isKnown: !isAsked })
  useEffect(() => {
    if (!isAsked) return
    readSecondFactor().then(
      ({ second_factor }) => setWaiting({ isKnown: true, methods: second_factor }),
      () => setWaiting({ isKnown: true }),
    )
  }, [isAsked])
  return waiting
}

export function SignInPage() {
  const { next = '/', ended, problem, step } = useSearch({ from: '/sign-in' })
  const waiting = useWaitingStep(step !== undefined)
  const router = useRouter()
  const queries = useQueryClient()
  const enter = () => {
    notifyOtherTabs('signed-in')
    queries.clear()
    router.history.push(next)
  }
  return (
    <main className={styles.page}>
      <title>{strings.page.windowTitle}</title>
      <div className={styles.card}>
        <img src={mark} alt="" width={40} height={40} />
        <div>
          <Title order={1}>{strings.page.title}</Title>
          <p className={styles.lead}>{strings.product}</p>
        </div>
        {ended === true && (
          <Alert color="yellow" role="status" icon={<Icon name="alert" />} title={strings.page.ended}>
            {strings.page.endedHint}
          </Alert>
        )}
        {problem !== undefined && (
          <Alert color="red" role="alert" icon={<Icon name="alert" />}>
            {strings.company.problems[problem] ?? strings.company.unknownProblem}
          </Alert>
        )}
        {waiting.isKnown && <SignInMethods waiting={waiting.methods} next={next} done={enter} />}
      </div>
      <div className={styles.foot}>
        <p>{strings.page.help}</p>
        <ColorSchemeSwitch name="scheme" />
      </div>
    </main>
  )
}
