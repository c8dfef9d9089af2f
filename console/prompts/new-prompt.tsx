import { Textarea, TextInput } from '@mantine/core'
import { isNotEmpty, useForm } from '@mantine/form'
import { useHotkeys } from '@mantine/hooks'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useDeferredValue, useEffect, useState } from 'react'
import { promptLimits } from '../../src/model/limits/prompts.ts'
import { variablesOf } from '../../src/model/prompts/prompt-template.ts'
import { LeaveDialog } from '../parts/dialogs/leave-dialog.tsx'
import { useSubmission } from '../parts/forms/form.tsx'
import { SaveBar } from '../parts/forms/save-bar.tsx'
import { notifySuccess } from '../parts/notify.ts'
import { Card } from '../parts/page.tsx'
import { ProblemAlert } from '../parts/problem.tsx'
import { createPrompt } from './changes.ts'
import { TextArea } from './edit/text-area.tsx'
import { UnprovidedVariables, VariableChips } from './labels/label-tags.tsx'
import styles from './prompts.module.css'
import { promptQuery, promptsKey } from './queries.ts'
import { strings } from './strings.ts'

const { name, description, text } = strings.fields
const names = { name, description, prompt_text: text }

/** ⌘S creates the prompt. */
export function NewPrompt({ project }: { project: number }) {
  const queries = useQueryClient()
  const navigate = useNavigate()
  const [created, setCreated] = useState<number>()
  const form = useForm({
    initialValues: { name: '', description: '', prompt_text: '' },
    validate: {
      name: isNotEmpty(strings.fields.nameMissing),
      prompt_text: (text) => (text === '' ? strings.fields.textMissing : null),
    },
  })
  const submission = useSubmission(
    form,
    (body) => createPrompt(project, body),
    (prompt) => {
      queries.setQueryData(promptQuery(project, prompt.id).queryKey, prompt)
      void queries.invalidateQueries({ queryKey: promptsKey(project) })
      notifySuccess(strings.create.done(prompt.name))
      setCreated(prompt.id)
    },
  )
  useEffect(() => {
    // After the page has recorded that nothing is unsaved.
    if (created === undefined) return
    const params = { projectId: project, promptId: created }
    void navigate({ to: '/projects/$projectId/prompts/$promptId', params, search: {}, replace: true })
  }, [created, navigate, project])
  const save = () => {
    if (!submission.isPending && created === undefined) submission.submit()
  }
  useHotkeys([['mod+S', save, { preventDefault: true }]], [])
  const variables = variablesOf(useDeferredValue(form.values.prompt_text))
  const changed = Object.entries(names).filter(([field]) => form.values[field as keyof typeof names] !== '')
  return (
    <div>
      <Card title={strings.create.card}>
        <div className={styles.fields}>
          {submission.problem !== undefined && (
            <ProblemAlert error={submission.problem} title={strings.create.failed} />
          )}
          <TextInput label={strings.fields.name} maxLength={255} autoFocus {...form.getInputProps('name')} />
          <Textarea
            label={strings.fields.description}
            description={strings.fields.descriptionHintOptional}
            autosize
            minRows={2}
            maxRows={8}
            maxLength={promptLimits.descriptionCharacters}
            {...form.getInputProps('description')}
          />
          <TextArea {...form.getInputProps('prompt_text')} />
          <div>
            <p className={styles.label}>{strings.fields.variables}</p>
            <VariableChips names={variables} />
          </div>
          <UnprovidedVariables names={variables} />
        </div>
      </Card>
      <SaveBar
        action={strings.create.submit}
        changed={changed.map(([, name]) => name)}
        isPending={submission.isPending}
        save={save}
      />
      <LeaveDialog isDirty={changed.length > 0 && created === undefined} />
    </div>
  )
}
