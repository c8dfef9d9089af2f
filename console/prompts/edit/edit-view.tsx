import { Alert, Anchor, SegmentedControl, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useDeferredValue, useEffect, useRef } from 'react'
import { promptLimits } from '../../../src/model/limits/prompts.ts'
import { variablesOf } from '../../../src/model/prompts/prompt-template.ts'
import type { Bump } from '../../../src/model/prompts/version-number.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { Card } from '../../parts/page.tsx'
import { ProblemAlert } from '../../parts/problem.tsx'
import { WordDiff } from '../../parts/words/word-diff.tsx'
import { VariableChanges } from '../compare/variable-changes.tsx'
import { NoPermission } from '../no-permission.tsx'
import styles from '../prompts.module.css'
import { versionQuery } from '../queries.ts'
import type { ViewProps } from '../view-props.ts'
import { TextArea } from './text-area.tsx'
import type { VersionDraft } from './use-version-draft.ts'
import { beginDraft, type Draft, nextNumber } from './version-draft.ts'

const bumps: { value: Bump; word: string; hint: string }[] = [
  { value: 'patch', word: 'Patch', hint: 'A slip is mended; the answers stay as they are.' },
  { value: 'minor', word: 'Minor', hint: 'The answers get better, in the same shape.' },
  {
    value: 'major',
    word: 'Major',
    hint: 'Other variables or another shape of answer: programs have to follow.',
  },
]

type Props = ViewProps & { editor: VersionDraft }

/** A new version, which begins with the text of one that is there. */
export function EditView(props: Props) {
  const { project, prompt, version, mayEdit, editor } = props
  const query = useQuery(versionQuery(project, prompt.id, editor.draft?.base.number ?? version))
  if (!mayEdit) return <NoPermission />
  const isOther = editor.isDirty && editor.draft?.base.number !== version
  return (
    <Card title="New version" lead="Versions are added, never changed: the ones before stay as they are.">
      <Loaded query={query} rows={12}>
        {(base) => (
          <div className={styles.fields}>
            {isOther && (
              <Alert color="yellow" title={`This text began from version ${editor.draft?.base.number}`}>
                Add or discard it before you begin one from version {version}.
              </Alert>
            )}
            <Fields {...props} draft={editor.draft ?? beginDraft(base, prompt.latest_version)} />
          </div>
        )}
      </Loaded>
    </Card>
  )
}

function Fields({ project, prompt, draft, editor }: Props & { draft: Draft }) {
  const change = (part: Partial<Draft>) => editor.change({ ...draft, ...part })
  const shown = useDeferredValue(draft.text)
  const { base, bump, latest } = draft
  const input = useRef<HTMLTextAreaElement>(null)
  useEffect(() => {
    // Whoever came by a button, which is gone, wants to type; whoever goes through the tabs does not.
    const { activeElement, body } = document
    if (activeElement === body || activeElement?.id === 'content') input.current?.focus()
  }, [])
  return (
    <>
      <Notices project={project} prompt={prompt} draft={draft} editor={editor} />
      <TextArea
        ref={input}
        value={draft.text}
        error={editor.faults.text}
        onChange={({ currentTarget }) => change({ text: currentTarget.value })}
      />
      <div>
        <p className={styles.label} id="bump">
          Which number
        </p>
        <SegmentedControl
          aria-labelledby="bump"
          value={bump}
          data={bumps.map(({ value, word }) => ({ value, label: `${word} ${nextNumber(latest, value)}` }))}
          onChange={(next) => change({ bump: next as Bump })}
        />
        <p className={styles.note}>{bumps.find(({ value }) => value === bump)?.hint}</p>
      </div>
      <TextInput
        label="Message"
        description="What changed, and why"
        maxLength={promptLimits.messageCharacters}
        value={draft.message}
        error={editor.faults.message}
        onChange={({ currentTarget }) => change({ message: currentTarget.value })}
      />
      {shown !== base.text && (
        <div className={styles.fields}>
          <VariableChanges before={base.variables} after={variablesOf(shown)} />
          <div>
            <p className={styles.label}>What changes since {base.number}</p>
            <WordDiff before={base.text} after={shown} />
          </div>
        </div>
      )}
    </>
  )
}

type NoticeProps = Pick<Props, 'project' | 'prompt' | 'editor'> & { draft: Draft }

function Notices({ project, prompt, draft, editor: { problem, existing, isDirty } }: NoticeProps) {
  const { latest, base } = draft
  const isOutrun = isDirty && prompt.latest_version !== latest
  return (
    <>
      {problem !== undefined && <ProblemAlert error={problem} title="Not added" />}
      {existing !== undefined && (
        <Alert color="yellow" role="alert" title="This text is there already">
          It is that of{' '}
          <Anchor
            component={Link}
            to={`/projects/${project}/prompts/${prompt.id}`}
            search={{ version: existing } as never}
          >
            version {existing}
          </Anchor>
          , so nothing was added. A label can be set on that version instead.
        </Alert>
      )}
      {isOutrun && (
        <Alert color="yellow" title={`Somebody else added version ${prompt.latest_version}`}>
          When you add yours, you see theirs first.
        </Alert>
      )}
      {!isOutrun && latest !== base.number && (
        <Alert color="yellow" title={`The latest version is ${latest}`}>
          This text begins from version {base.number}; what came after it is not part of it.
        </Alert>
      )}
    </>
  )
}
