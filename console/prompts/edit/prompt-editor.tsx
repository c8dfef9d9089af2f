import { Button, Tabs } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { LeaveDialog } from '../../parts/dialogs/leave-dialog.tsx'
import { SaveBar } from '../../parts/forms/save-bar.tsx'
import { useMay } from '../../parts/may.ts'
import { Page } from '../../parts/page.tsx'
import { Moment } from '../../parts/words/moment.tsx'
import type { Prompt } from '../../wire.ts'
import { DetailsDialog } from '../details-dialog.tsx'
import { PromptViews } from '../prompt-views.tsx'
import styles from '../prompts.module.css'
import type { PromptSearch, PromptView } from '../search-params.ts'
import { NewerVersionDialog } from './newer-version-dialog.tsx'
import { useVersionDraft } from './use-version-draft.ts'
import { nextNumber } from './version-draft.ts'

const route = '/signed-in/projects/$projectId/prompts/$promptId'
const tabs = [
  { value: 'text', label: 'Text' },
  { value: 'compare', label: 'Compare' },
  { value: 'try', label: 'Try out' },
  { value: 'outcomes', label: 'Outcomes' },
  { value: 'labels', label: 'Labels' },
]

/** A prompt in one of its views; what is unsaved stays while others are looked at. */
export function PromptEditor({ project, prompt }: { project: number; prompt: Prompt }) {
  const search = useSearch({ from: route })
  const navigate = useNavigate({ from: '/projects/$projectId/prompts/$promptId' })
  const { mayWrite: mayEdit } = useMay()
  const [isNaming, setNaming] = useState(false)
  const see = (next: PromptSearch) => void navigate({ search: next, resetScroll: false })
  const editor = useVersionDraft(project, prompt, { done: () => see({}), show: () => see({ view: 'edit' }) })
  const { draft, theirs } = editor
  useHotkeys([['mod+S', editor.save, { preventDefault: true }]], [])
  const version = search.version ?? prompt.latest_version
  const view = search.view ?? 'text'
  const open = (next: string | null) =>
    see({
      ...(next !== 'text' && { view: next as PromptView }),
      ...(search.version !== undefined && { version: search.version }),
    })
  return (
    <Page
      title={prompt.name}
      lead={<Lead prompt={prompt} />}
      actions={
        mayEdit && (
          <>
            <Button variant="default" onClick={() => setNaming(true)}>
              Edit details…
            </Button>
            {view !== 'edit' && <Button onClick={() => see({ view: 'edit' })}>New version</Button>}
          </>
        )
      }
    >
      <Tabs value={view} onChange={open} keepMounted={false}>
        <Tabs.List>
          {tabs.map(({ value, label }) => (
            <Tabs.Tab key={value} value={value} className={styles.tab ?? ''}>
              {label}
            </Tabs.Tab>
          ))}
          {(view === 'edit' || editor.isDirty) && (
            <Tabs.Tab value="edit" className={styles.tab ?? ''}>
              New version
            </Tabs.Tab>
          )}
        </Tabs.List>
        <Tabs.Panel value={view} className={styles.panel ?? ''}>
          <PromptViews {...{ project, prompt, search, version, mayEdit, see, editor }} />
        </Tabs.Panel>
        {editor.isDirty && draft !== undefined && (
          <SaveBar
            action={`Add version ${nextNumber(draft.latest, draft.bump)}`}
            changed={editor.changed}
            isPending={editor.isPending}
            save={editor.save}
            discard={editor.discard}
          />
        )}
      </Tabs>
      {theirs !== undefined && draft !== undefined && (
        <NewerVersionDialog draft={draft} theirs={theirs} goOn={editor.goOn} />
      )}
      {isNaming && <DetailsDialog project={project} prompt={prompt} close={() => setNaming(false)} />}
      <LeaveDialog isDirty={editor.isDirty} />
    </Page>
  )
}

function Lead({ prompt: { description, latest_version, updated_at } }: { prompt: Prompt }) {
  return (
    <>
      {description !== '' && (
        <>
          <span dir="auto">{description}</span>
          <br />
        </>
      )}
      Latest version {latest_version}, changed <Moment at={updated_at} />
    </>
  )
}
