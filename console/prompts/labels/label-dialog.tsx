import { TextInput } from '@mantine/core'
import { matches, useForm } from '@mantine/form'
import { useQueryClient } from '@tanstack/react-query'
import { useId } from 'react'
import { ActDialog } from '../../parts/dialogs/dialogs.tsx'
import { sayDone } from '../../parts/done.ts'
import { Form, useSubmission } from '../../parts/forms/form.tsx'
import type { Prompt } from '../../wire.ts'
import { pointLabel } from '../changes.ts'
import { promptsKey } from '../queries.ts'
import { VersionSelect } from '../version-select.tsx'

type Props = { project: number; prompt: Prompt; label?: string; version: string; close: () => void }

const usual = ['production', 'staging']
const rule = 'Small letters, digits, . _ and -, a letter first, at most 64.'

/** Points a label at a version; what moves, and from where, is said before it does. */
export function LabelDialog({ project, prompt, label = '', version, close }: Props) {
  const queries = useQueryClient()
  const list = useId()
  const form = useForm({
    initialValues: { label, version_number: version },
    validate: { label: matches(/^[a-z][a-z0-9._-]{0,63}$/, rule) },
  })
  const { values } = form
  const submission = useSubmission(
    form,
    ({ label, version_number }) => pointLabel(project, prompt.id, label, version_number),
    async (answer) => {
      await queries.invalidateQueries({ queryKey: promptsKey(project) })
      sayDone(`${answer.label} points at ${answer.version_number}.`)
      close()
    },
  )
  const before = Object.hasOwn(prompt.labels, values.label) ? prompt.labels[values.label] : undefined
  const target = values.version_number
  return (
    <ActDialog
      title={label === '' ? 'Set a label' : `Move ${label}`}
      isPending={submission.isPending}
      isFilled={values.label !== label || target !== version}
      close={close}
    >
      <Form submission={submission} action={actionText(before, values.label, target)} cancel={close}>
        <TextInput
          label="Label"
          description="Programs ask for a prompt by its label, and get the version that it points at"
          list={list}
          autoCapitalize="none"
          autoComplete="off"
          spellCheck={false}
          maxLength={64}
          readOnly={label !== ''}
          data-autofocus={label === '' ? true : undefined}
          {...form.getInputProps('label')}
        />
        <datalist id={list}>
          {[...new Set([...Object.keys(prompt.labels), ...usual])].map((one) => (
            <option key={one} value={one} />
          ))}
        </datalist>
        <VersionSelect
          {...{ project, prompt }}
          label="Version"
          value={target}
          choose={(next) => form.setFieldValue('version_number', next)}
        />
        <p role="status">
          <Consequence before={before} label={values.label} target={target} />
        </p>
      </Form>
    </ActDialog>
  )
}

function actionText(before: string | undefined, label: string, target: string): string {
  if (label === '') return 'Set label'
  return before === undefined ? `Set ${label} on ${target}` : `Move ${label} to ${target}`
}

type ConsequenceProps = { before: string | undefined; label: string; target: string }

function Consequence({ before, label, target }: ConsequenceProps) {
  if (label === '') return 'A label can be moved to another version at any time.'
  if (before === undefined)
    return (
      <>
        The label <strong>{label}</strong> is new, and points at version {target} then.
      </>
    )
  if (before === target)
    return (
      <>
        <strong>{label}</strong> points at version {target} already; nothing moves.
      </>
    )
  return (
    <>
      <strong>{label}</strong> moves from version {before} to version {target}. Programs that ask for it get{' '}
      {target} from then on.
    </>
  )
}
