import { Textarea, TextInput } from '@mantine/core'
import { isNotEmpty, useForm } from '@mantine/form'
import { useHotkeys } from '@mantine/hooks'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useDeferredValue, useEffect, useState } from 'react'
import { promptLimits } from '../../src/model/limits/prompts.ts'
import { variablesOf } from '../../src/model/prompts/prompt-template.ts'
import { LeaveDialog } from '../parts/dialogs/leave-dialog.tsx'
import { sayDone } from '../parts/done.ts'
import { useSubmission } from '../parts/forms/form.tsx'
import { SaveBar } from '../parts/forms/save-bar.tsx'
import { Card } from '../parts/page.tsx'
import { ProblemAlert } from '../parts/problem.tsx'
import { createPrompt } from './changes.ts'
import { TextArea } from './edit/text-area.tsx'
import { VariableChips } from './labels/label-tags.tsx'
import styles from './prompts.module.css'
import { promptQuery, promptsKey } from './queries.ts'

const names = { name: 'Name', description: 'Description', prompt_text: 'Text' }

/** What a prompt begins with; ⌘S makes it. */
export function NewPrompt({ project }: { project: number }) {
  const queries = useQueryClient()
  const navigate = useNavigate()
  const [made, setMade] = useState<number>()
  const form = useForm({
    initialValues: { name: '', description: '', prompt_text: '' },
    validate: {
      name: isNotEmpty('Give the prompt a name.'),
      prompt_text: (text) => (text === '' ? 'Write the text.' : null),
    },
  })
  const submission = useSubmission(
    form,
    (body) => createPrompt(project, body),
    (prompt) => {
      queries.setQueryData(promptQuery(project, prompt.id).queryKey, prompt)
      void queries.invalidateQueries({ queryKey: promptsKey(project) })
      sayDone(`${prompt.name} is made.`)
      setMade(prompt.id)
    },
  )
  useEffect(() => {
    // Not before the page knows that nothing is unsaved any more.
    if (made === undefined) return
    const params = { projectId: project, promptId: made }
    void navigate({ to: '/projects/$projectId/prompts/$promptId', params, search: {}, replace: true })
  }, [made, navigate, project])
  const save = () => {
    if (!submission.isPending && made === undefined) submission.submit()
  }
  useHotkeys([['mod+S', save, { preventDefault: true }]], [])
  const variables = variablesOf(useDeferredValue(form.values.prompt_text))
  const changed = Object.entries(names).filter(([field]) => form.values[field as keyof typeof names] !== '')
  return (
    <div>
      <Card title="Prompt">
        <div className={styles.fields}>
          {submission.problem !== undefined && <ProblemAlert error={submission.problem} title="Not made" />}
          <TextInput label="Name" maxLength={255} autoFocus {...form.getInputProps('name')} />
          <Textarea
            label="Description"
            description="What it is for; may be left empty"
            autosize
            minRows={2}
            maxRows={8}
            maxLength={promptLimits.descriptionCharacters}
            {...form.getInputProps('description')}
          />
          <TextArea {...form.getInputProps('prompt_text')} />
          <div>
            <p className={styles.label}>Variables</p>
            <VariableChips names={variables} />
          </div>
        </div>
      </Card>
      <SaveBar
        action="Create prompt"
        changed={changed.map(([, name]) => name)}
        isPending={submission.isPending}
        save={save}
      />
      <LeaveDialog isDirty={changed.length > 0 && made === undefined} />
    </div>
  )
}
