import { Button, Switch, Textarea, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useMarkets } from '../../markets/use-markets.ts'
import { ProblemError } from '../../network.ts'
import { notifyWarning } from '../../parts/notify.ts'
import { asSentence, ProblemAlert } from '../../parts/problem.tsx'
import type { ProposalLine } from '../../wire.ts'
import { editLine } from '../changes.ts'
import { proposalQuery, proposalsKey } from '../queries.ts'
import { strings } from '../strings.ts'
import { lineFieldLabel, pointerField } from '../value-text.ts'
import { type EditableField, editableFields, formText, readEdit } from './edited-values.ts'
import styles from './review.module.css'

type Props = {
  project: number
  id: number
  revision: number
  line: ProposalLine
  /** Called with the new revision after a successful edit. */
  saved: (revision: number) => void
  close: () => void
}

/** Edits the values of a line in place. */
export function LineEditor({ project, id, revision, line, saved, close }: Props) {
  const fields = editableFields(line)
  const [texts, setTexts] = useState(() =>
    Object.fromEntries(fields.map((one) => [one.field, formText(one)])),
  )
  // The revision that the user has seen when the editor opened.
  const [seen] = useState(revision)
  const [invalid, setInvalid] = useState<Record<string, string>>({})
  const queries = useQueryClient()
  const save = useMutation({
    mutationFn: (patch: object) => editLine(project, id, line.line, { patch, revision: seen }),
    onSuccess: () => {
      const next = revision + 1
      queries.setQueryData(proposalQuery(project, id).queryKey, (held) => held && { ...held, revision: next })
      saved(next)
      close()
    },
    onError: (error) => {
      if (!(error instanceof ProblemError) || error.status !== 412) return
      notifyWarning(strings.review.lineChanged)
      close()
    },
    onSettled: () => queries.invalidateQueries({ queryKey: proposalsKey(project) }),
  })
  const errors = { ...errorsByField(save.error), ...invalid }
  const hasLoose = save.error !== null && Object.keys(errorsByField(save.error)).length === 0

  function submit(event: FormEvent): void {
    event.preventDefault()
    const read = readEdit(fields, texts, line.conflicts)
    setInvalid('errors' in read ? read.errors : {})
    if ('errors' in read) return
    if (Object.keys(read.patch).length === 0) close()
    else save.mutate(read.patch)
  }

  return (
    <form
      className={styles.editor}
      aria-label={strings.review.editLine(line.sku ?? strings.line.number(line.line))}
      onSubmit={submit}
      onKeyDown={(event) => {
        if (event.key === 'Escape') close()
      }}
    >
      {hasLoose && <ProblemAlert error={save.error as Error} />}
      {fields.length === 0 && <p className={styles.hint}>{strings.review.nothingToEdit}</p>}
      {fields.map((one, index) => (
        <Field
          key={one.field}
          field={one}
          text={texts[one.field] ?? ''}
          error={errors[one.field]}
          isFirst={index === 0}
          change={(text) => setTexts((now) => ({ ...now, [one.field]: text }))}
        />
      ))}
      <div className={styles.actions}>
        <Button type="submit" size="xs" loading={save.isPending} disabled={fields.length === 0}>
          {strings.review.save}
        </Button>
        <Button size="xs" variant="default" onClick={close}>
          {strings.review.cancel}
        </Button>
      </div>
    </form>
  )
}

/** Errors point into the patch. */
function errorsByField(error: Error | null): Record<string, string> {
  if (!(error instanceof ProblemError)) return {}
  return Object.fromEntries(
    error.fieldErrors.flatMap(({ pointer = '', message }) => {
      const field = pointerField(pointer.replace(/^\/patch/, ''))
      return field === undefined ? [] : [[field, asSentence(message)]]
    }),
  )
}

type FieldProps = {
  field: EditableField
  text: string
  error: string | undefined
  isFirst: boolean
  change: (text: string) => void
}

function Field({ field: { field, kind }, text, error, isFirst, change }: FieldProps) {
  const label = lineFieldLabel(field, useMarkets().markets)
  const common = { label, error, 'data-autofocus': isFirst, autoFocus: isFirst }
  if (kind === 'yes_no')
    return (
      <Switch
        {...common}
        checked={text === 'true'}
        onChange={({ currentTarget }) => change(String(currentTarget.checked))}
      />
    )
  if (kind === 'number')
    return (
      <TextInput
        {...common}
        inputMode="decimal"
        value={text}
        onChange={({ currentTarget }) => change(currentTarget.value)}
      />
    )
  return (
    <Textarea
      {...common}
      autosize
      minRows={1}
      maxRows={12}
      value={text}
      onChange={({ currentTarget }) => change(currentTarget.value)}
    />
  )
}
