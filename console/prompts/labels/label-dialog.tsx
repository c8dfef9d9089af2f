import { TextInput } from '@mantine/core'
import { matches, useForm } from '@mantine/form'
import { useQueryClient } from '@tanstack/react-query'
import { useId } from 'react'
import { ActionDialog } from '../../parts/dialogs/dialogs.tsx'
import { Form, useSubmission } from '../../parts/forms/form.tsx'
import { notifySuccess } from '../../parts/notify.ts'
import type { Prompt } from '../../wire.ts'
import { pointLabel } from '../changes.ts'
import { promptsKey } from '../queries.ts'
import { strings } from '../strings.ts'
import { VersionSelect } from '../version-select.tsx'

type Props = { project: number; prompt: Prompt; label?: string; version: string; close: () => void }

const usual = ['production', 'staging']

/** Points a label to a version, and shows the effect first. */
export function LabelDialog({ project, prompt, label = '', version, close }: Props) {
  const queries = useQueryClient()
  const list = useId()
  const form = useForm({
    initialValues: { label, version_number: version },
    validate: { label: matches(/^[a-z][a-z0-9._-]{0,63}$/, strings.labelForm.labelInvalid) },
  })
  const { values } = form
  const submission = useSubmission(
    form,
    ({ label, version_number }) => pointLabel(project, prompt.id, label, version_number),
    async (set) => {
      await queries.invalidateQueries({ queryKey: promptsKey(project) })
      notifySuccess(strings.labelForm.done(set.label, set.version_number))
      close()
    },
  )
  const before = Object.hasOwn(prompt.labels, values.label) ? prompt.labels[values.label] : undefined
  const target = values.version_number
  return (
    <ActionDialog
      title={label === '' ? strings.labelForm.setTitle : strings.labelForm.moveTitle(label)}
      isPending={submission.isPending}
      isFilled={values.label !== label || target !== version}
      close={close}
    >
      <Form submission={submission} action={actionText(before, values.label, target)} cancel={close}>
        <TextInput
          label={strings.labelForm.label}
          description={strings.labelForm.labelHint}
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
          label={strings.labelForm.version}
          value={target}
          choose={(next) => form.setFieldValue('version_number', next)}
        />
        <p role="status">
          <Effect before={before} label={values.label} target={target} />
        </p>
      </Form>
    </ActionDialog>
  )
}

function effectText(before: string | undefined, target: string): string {
  const { effects } = strings.labelForm
  if (before === undefined) return effects.new(target)
  return before === target ? effects.none(target) : effects.move(before, target)
}

function actionText(before: string | undefined, label: string, target: string): string {
  if (label === '') return strings.labelForm.set
  return before === undefined
    ? strings.labelForm.setOn(label, target)
    : strings.labelForm.moveTo(label, target)
}

type EffectProps = { before: string | undefined; label: string; target: string }

function Effect({ before, label, target }: EffectProps) {
  if (label === '') return strings.labelForm.anytime
  return (
    <>
      <strong>{label}</strong>
      {effectText(before, target)}
    </>
  )
}
