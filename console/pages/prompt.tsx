import { Button, Tabs } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { ProblemError } from '../network.ts'
import { LeaveDialog } from '../parts/leave-dialog.tsx'
import { Loaded } from '../parts/loaded.tsx'
import { useMay } from '../parts/may.ts'
import { Moment } from '../parts/moment.tsx'
import { Page } from '../parts/page.tsx'
import { SaveBar } from '../parts/save-bar.tsx'
import type { PromptSearch, PromptView } from '../prompts/address.ts'
import { BackToPrompts } from '../prompts/back-to-prompts.tsx'
import { DetailsDialog } from '../prompts/details-dialog.tsx'
import { NewerDialog } from '../prompts/newer-dialog.tsx'
import { PromptViews } from '../prompts/prompt-views.tsx'
import styles from '../prompts/prompts.module.css'
import { promptQuery } from '../prompts/queries.ts'
import { useVersionDraft } from '../prompts/use-version-draft.ts'
import { nextNumber } from '../prompts/version-draft.ts'
import type { Prompt } from '../wire.ts'
import { MissingPage } from './missing-page.tsx'

const tabs = [
  { value: 'text', label: 'Text' },
  { value: 'compare', label: 'Compare' },
  { value: 'try', label: 'Try out' },
  { value: 'outcomes', label: 'Outcomes' },
  { value: 'labels', label: 'Labels' },
]
const route = '/signed-in/projects/$projectId/prompts/$promptId'

export function PromptPage() {
  const { projectId, promptId } = useParams({ from: route })
  const query = useQuery(promptQuery(projectId, promptId))
  if (query.error instanceof ProblemError && query.error.status === 404) return <MissingPage />
  return (
    <>
      <BackToPrompts project={projectId} />
      {query.data === undefined ? (
        <Page title={`Prompt ${promptId}`} lead="Loading…">
          <Loaded query={query} rows={12}>
            {() => null}
          </Loaded>
        </Page>
      ) : (
        <Editor key={promptId} project={projectId} prompt={query.data} />
      )}
    </>
  )
}

/** A prompt in one of its views; what is unsaved stays while others are looked at. */
function Editor({ project, prompt }: { project: number; prompt: Prompt }) {
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
  useKeptFocus(view)
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
        <NewerDialog draft={draft} theirs={theirs} goOn={editor.goOn} />
      )}
      {isNaming && <DetailsDialog project={project} prompt={prompt} close={() => setNaming(false)} />}
      <LeaveDialog isDirty={editor.isDirty} />
    </Page>
  )
}

/** A link or a button that goes away with the view before would take the focus along. */
function useKeptFocus(view: string): void {
  const before = useRef(view)
  useEffect(() => {
    const hasChanged = before.current !== view
    before.current = view
    if (hasChanged && document.activeElement === document.body)
      document.getElementById('content')?.focus({ preventScroll: true })
  }, [view])
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
