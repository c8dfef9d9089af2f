import { Anchor, Button, Title } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRouter, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { signOut } from '../changes.ts'
import mark from '../mark.svg'
import { Loaded } from '../parts/loaded.tsx'
import { notifyError } from '../parts/notify.ts'
import { securityQuery } from '../queries.ts'
import { notifyOtherTabs, rememberSignedIn } from '../session.ts'
import { arePasskeysPossible } from '../sign-in/passkeys.ts'
import styles from '../sign-in/sign-in.module.css'
import { strings } from '../sign-in/strings.ts'
import { AddPasskeyDialog, AddTotpDialog, RecoveryCodesDialog } from './factor-dialogs.tsx'
import { strings as factors } from './security-strings.ts'

type Shown = { kind: 'totp' | 'passkey' } | { kind: 'codes'; codes: string[] }

/** For users whose role requires a second factor. */
export function SetUpPage() {
  const { next = '/' } = useSearch({ from: '/set-up-second-factor' })
  const router = useRouter()
  const queries = useQueryClient()
  const query = useQuery(securityQuery)
  const [shown, setShown] = useState<Shown>()
  const enter = () => {
    notifyOtherTabs('signed-in')
    queries.clear()
    router.history.push(next)
  }
  const leave = async () => {
    await signOut()
    rememberSignedIn(false)
    location.assign('/sign-in')
  }
  const added = ({ recovery_codes: codes }: { recovery_codes: string[] }) =>
    codes.length > 0 ? setShown({ kind: 'codes', codes }) : enter()
  return (
    <main className={styles.page}>
      <title>{strings.setUp.windowTitle}</title>
      <div className={styles.card}>
        <img src={mark} alt="" width={40} height={40} />
        <div>
          <Title order={1}>{strings.setUp.title}</Title>
          <p className={styles.lead}>{strings.setUp.lead}</p>
        </div>
        <Loaded query={query}>
          {({ has_password: hasPassword }) => (
            <>
              <Choice
                text={factors.totp.text}
                label={factors.totp.add}
                choose={() => setShown({ kind: 'totp' })}
              />
              {arePasskeysPossible() && (
                <Choice
                  text={factors.passkeys.text}
                  label={factors.passkeys.add}
                  choose={() => setShown({ kind: 'passkey' })}
                />
              )}
              {shown?.kind === 'totp' && (
                <AddTotpDialog hasPassword={hasPassword} done={added} close={() => setShown(undefined)} />
              )}
              {shown?.kind === 'passkey' && (
                <AddPasskeyDialog hasPassword={hasPassword} done={added} close={() => setShown(undefined)} />
              )}
            </>
          )}
        </Loaded>
        {shown?.kind === 'codes' && <RecoveryCodesDialog codes={shown.codes} close={enter} />}
        <Anchor component="button" type="button" onClick={() => leave().catch(notifyError)}>
          {strings.setUp.signOut}
        </Anchor>
      </div>
    </main>
  )
}

function Choice({ text, label, choose }: { text: string; label: string; choose: () => void }) {
  return (
    <div className={styles.choice}>
      <p>{text}</p>
      <Button variant="default" onClick={choose}>
        {label}
      </Button>
    </div>
  )
}
