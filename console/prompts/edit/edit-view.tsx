import { Alert, Anchor, SegmentedControl, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useDeferredValue, useEffect, useRef } from 'react'
import { promptLimits } from '../../../src/model/limits/prompts.ts'
import { variablesOf } from '../../../src/model/prompts/prompt-template.ts'
import type { Bump } from '../../../src/model/prompts/version-number.ts'
import { WordDiff } from '../../parts/format/word-diff.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Card } from '../../parts/page.tsx'
import { ProblemAlert } from '../../parts/problem.tsx'
import { VariableChanges } from '../compare/variable-changes.tsx'
import { UnprovidedVariables } from '../labels/label-tags.tsx'
import { NoPromptPermission } from '../no-permission.tsx'
import styles from '../prompts.module.css'
import { versionQuery } from '../queries.ts'
import { strings } from '../strings.ts'
import type { ViewProps } from '../view-props.ts'
import { TextArea } from './text-area.tsx'
import type { VersionDraft } from './use-version-draft.ts'
import { beginDraft, type Draft, nextNumber } from './version-draft.ts'

const bumps: readonly Bump[] = ['patch', 'minor', 'major']

type Props = ViewProps & { editor: VersionDraft }

/** A new version, based on the text of an existing one. */
export function EditView(props: Props) {
  const { project, prompt, version, canEdit, editor } = props
  const query = useQuery(versionQuery(project, prompt.id, editor.draft?.base.number ?? version))
  if (!canEdit) return <NoPromptPermission />
  const isOther = editor.isDirty && editor.draft?.base.number !== version
  return (
    <Card title={strings.edit.title} lead={strings.edit.lead}>
      <Loaded query={query} rows={12}>
        {(base) => (
          <div className={styles.fields}>
            {isOther && editor.draft !== undefined && (
              <Alert color="yellow" title={strings.edit.otherDraft(editor.draft.base.number)}>
                {strings.edit.otherDraftHint(version)}
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
    // Only after a button that is now gone: keyboard users keep the focus on the tabs.
    const { activeElement, body } = document
    if (activeElement === body || activeElement?.id === 'content') input.current?.focus()
  }, [])
  return (
    <>
      <Notices project={project} prompt={prompt} draft={draft} editor={editor} />
      <TextArea
        ref={input}
        value={draft.text}
        error={editor.errors.text}
        onChange={({ currentTarget }) => change({ text: currentTarget.value })}
      />
      <UnprovidedVariables names={variablesOf(shown)} />
      <div>
        <p className={styles.label} id="bump">
          {strings.edit.bump}
        </p>
        <SegmentedControl
          aria-labelledby="bump"
          value={bump}
          data={bumps.map((value) => ({
            value,
            label: strings.edit.bumpChoice(strings.edit.bumps[value].label, nextNumber(latest, value)),
          }))}
          onChange={(next) => change({ bump: next as Bump })}
        />
        <p className={styles.note}>{strings.edit.bumps[bump].hint}</p>
      </div>
      <TextInput
        label={strings.fields.message}
        description={strings.fields.messageHint}
        maxLength={promptLimits.messageCharacters}
        value={draft.message}
        error={editor.errors.message}
        onChange={({ currentTarget }) => change({ message: currentTarget.value })}
      />
      {shown !== base.text && (
        <div className={styles.fields}>
          <VariableChanges before={base.variables} after={variablesOf(shown)} />
          <div>
            <p className={styles.label}>{strings.edit.changes(base.number)}</p>
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
  const isOutdated = isDirty && prompt.latest_version !== latest
  return (
    <>
      {problem !== undefined && <ProblemAlert error={problem} title={strings.edit.failed} />}
      {existing !== undefined && (
        <Alert color="yellow" role="alert" title={strings.edit.exists}>
          {strings.edit.existsBefore}{' '}
          <Anchor
            component={Link}
            to={`/projects/${project}/prompts/${prompt.id}`}
            search={{ version: existing } as never}
          >
            {strings.edit.existsVersion(existing)}
          </Anchor>
          {strings.edit.existsAfter}
        </Alert>
      )}
      {isOutdated && (
        <Alert color="yellow" title={strings.edit.newer(prompt.latest_version)}>
          {strings.edit.newerHint}
        </Alert>
      )}
      {!isOutdated && latest !== base.number && (
        <Alert color="yellow" title={strings.edit.notLatest(latest)}>
          {strings.edit.notLatestHint(base.number)}
        </Alert>
      )}
    </>
  )
}
