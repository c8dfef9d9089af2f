import { Button, Tabs } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { LeaveDialog } from '../../parts/dialogs/leave-dialog.tsx'
import { RelativeTime } from '../../parts/format/relative-time.tsx'
import { SaveBar } from '../../parts/forms/save-bar.tsx'
import { Page } from '../../parts/page.tsx'
import { usePermissions } from '../../parts/permissions.ts'
import type { Prompt } from '../../wire.ts'
import { DetailsDialog } from '../details-dialog.tsx'
import { PromptViews } from '../prompt-views.tsx'
import styles from '../prompts.module.css'
import type { PromptSearch, PromptView } from '../search-params.ts'
import { strings } from '../strings.ts'
import { NewerVersionDialog } from './newer-version-dialog.tsx'
import { useVersionDraft } from './use-version-draft.ts'
import { nextNumber } from './version-draft.ts'

const route = '/signed-in/projects/$projectId/prompts/$promptId'
const tabs = ['text', 'compare', 'try', 'outcomes', 'labels'] as const

/** A prompt in one of its views. Unsaved text survives a change of the view. */
export function PromptEditor({ project, prompt }: { project: number; prompt: Prompt }) {
  const search = useSearch({ from: route })
  const navigate = useNavigate({ from: '/projects/$projectId/prompts/$promptId' })
  const { canWrite: canEdit } = usePermissions()
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
        canEdit && (
          <>
            <Button variant="default" onClick={() => setNaming(true)}>
              {strings.page.editDetails}
            </Button>
            {view !== 'edit' && (
              <Button onClick={() => see({ view: 'edit' })}>{strings.page.newVersion}</Button>
            )}
          </>
        )
      }
    >
      <Tabs value={view} onChange={open} keepMounted={false}>
        <Tabs.List>
          {tabs.map((value) => (
            <Tabs.Tab key={value} value={value} className={styles.tab ?? ''}>
              {strings.page.tabs[value]}
            </Tabs.Tab>
          ))}
          {(view === 'edit' || editor.isDirty) && (
            <Tabs.Tab value="edit" className={styles.tab ?? ''}>
              {strings.page.tabs.edit}
            </Tabs.Tab>
          )}
        </Tabs.List>
        <Tabs.Panel value={view} className={styles.panel ?? ''}>
          <PromptViews {...{ project, prompt, search, version, canEdit, see, editor }} />
        </Tabs.Panel>
        {editor.isDirty && draft !== undefined && (
          <SaveBar
            action={strings.edit.submit(nextNumber(draft.latest, draft.bump))}
            changed={editor.changed}
            isPending={editor.isPending}
            save={editor.save}
            discard={editor.discard}
          />
        )}
      </Tabs>
      {theirs !== undefined && draft !== undefined && (
        <NewerVersionDialog draft={draft} theirs={theirs} resume={editor.resume} />
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
      {strings.page.latestVersion(latest_version)} <RelativeTime at={updated_at} />
      {strings.page.latestVersionEnd}
    </>
  )
}
