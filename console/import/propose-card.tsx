import { Button, NativeSelect, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { FieldRow } from '../parts/forms/form.tsx'
import { Card } from '../parts/page.tsx'
import type { Mode } from './changes.ts'
import styles from './import.module.css'

const modeChoices: { value: Mode; label: string }[] = [
  { value: 'upsert', label: 'Make new products, and change those that are there' },
  { value: 'create', label: 'Make new products only' },
  { value: 'update', label: 'Change products that are there only' },
]
const longestTitle = 190

type Props = { fileName: string; isReady: boolean; propose: (options: { title: string; mode: Mode }) => void }

/** How the lines are sent. Nothing of the catalog changes by it. */
export function ProposeCard({ fileName, isReady, propose }: Props) {
  const [title, setTitle] = useState(() => [...`Import of ${fileName}`].slice(0, longestTitle).join(''))
  const [mode, setMode] = useState<Mode>('upsert')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    // As the service keeps it: by its title a proposal is found whose answer was lost.
    if (isReady && title.trim() !== '') propose({ title: title.trim().normalize('NFC'), mode })
  }
  return (
    <Card
      title="Propose"
      lead="The lines become a proposal: you see what each would do, and nothing changes until it is applied. A file of more than 10,000 lines becomes several."
    >
      <form onSubmit={submit} className={styles.form}>
        <FieldRow>
          <TextInput
            label="Title"
            maxLength={longestTitle}
            value={title}
            error={title.trim() === '' && 'A proposal has a title.'}
            onChange={({ currentTarget }) => setTitle(currentTarget.value)}
          />
          <NativeSelect
            label="What the file does"
            data={modeChoices}
            value={mode}
            onChange={({ currentTarget }) => setMode(currentTarget.value as Mode)}
          />
        </FieldRow>
        <div>
          <Button type="submit" disabled={!isReady || title.trim() === ''}>
            Propose
          </Button>
          {!isReady && <span className={styles.reason}>Say first what the columns are.</span>}
        </div>
      </form>
    </Card>
  )
}
