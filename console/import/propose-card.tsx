import { Button, NativeSelect, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { FieldRow } from '../parts/forms/form.tsx'
import { Card } from '../parts/page.tsx'
import type { Mode } from './changes.ts'
import styles from './import.module.css'
import { strings } from './strings.ts'

const modeChoices = Object.entries(strings.propose.modes).map(([value, label]) => ({ value, label }))
const longestTitle = 190

type Props = { fileName: string; isReady: boolean; propose: (options: { title: string; mode: Mode }) => void }

export function ProposeCard({ fileName, isReady, propose }: Props) {
  const [title, setTitle] = useState(() =>
    [...strings.propose.defaultTitle(fileName)].slice(0, longestTitle).join(''),
  )
  const [mode, setMode] = useState<Mode>('upsert')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    // Normalized as the service stores it: a proposal whose response was lost is found by its title.
    if (isReady && title.trim() !== '') propose({ title: title.trim().normalize('NFC'), mode })
  }
  return (
    <Card title={strings.propose.title} lead={strings.propose.lead}>
      <form onSubmit={submit} className={styles.form}>
        <FieldRow>
          <TextInput
            label={strings.propose.name}
            maxLength={longestTitle}
            value={title}
            error={title.trim() === '' && strings.propose.nameMissing}
            onChange={({ currentTarget }) => setTitle(currentTarget.value)}
          />
          <NativeSelect
            label={strings.propose.mode}
            data={modeChoices}
            value={mode}
            onChange={({ currentTarget }) => setMode(currentTarget.value as Mode)}
          />
        </FieldRow>
        <div>
          <Button type="submit" disabled={!isReady || title.trim() === ''}>
            {strings.propose.submit}
          </Button>
          {!isReady && <span className={styles.reason}>{strings.propose.notReady}</span>}
        </div>
      </form>
    </Card>
  )
}
