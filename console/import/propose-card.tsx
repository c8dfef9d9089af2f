import { Button, NativeSelect } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { FieldRow } from '../parts/forms/form.tsx'
import { Card } from '../parts/page.tsx'
import type { Mode } from './changes.ts'
import styles from './import.module.css'
import { ProposalTitleInput, useProposalTitle } from './proposal-title.tsx'
import { strings } from './strings.ts'

const modeChoices = Object.entries(strings.propose.modes).map(([value, label]) => ({ value, label }))

type Props = { fileName: string; isReady: boolean; propose: (options: { title: string; mode: Mode }) => void }

export function ProposeCard({ fileName, isReady, propose }: Props) {
  const named = useProposalTitle(strings.propose.defaultTitle(fileName))
  const { title } = named
  const [mode, setMode] = useState<Mode>('upsert')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isReady && title !== undefined) propose({ title, mode })
  }
  return (
    <Card title={strings.propose.title} lead={strings.propose.lead}>
      <form onSubmit={submit} className={styles.form}>
        <FieldRow>
          <ProposalTitleInput {...named} />
          <NativeSelect
            label={strings.propose.mode}
            data={modeChoices}
            value={mode}
            onChange={({ currentTarget }) => setMode(currentTarget.value as Mode)}
          />
        </FieldRow>
        <div>
          <Button type="submit" disabled={!isReady || title === undefined}>
            {strings.propose.submit}
          </Button>
          {!isReady && <span className={styles.reason}>{strings.propose.notReady}</span>}
        </div>
      </form>
    </Card>
  )
}
