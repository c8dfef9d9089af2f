import { Alert, Button, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { proposalLimits } from '../../../src/model/limits/proposals.ts'
import { marketLabel } from '../../markets/labels.ts'
import { useMarkets } from '../../markets/use-markets.ts'
import { ActionDialog } from '../../parts/dialogs/dialogs.tsx'
import { Form } from '../../parts/forms/form.tsx'
import { Icon } from '../../parts/icons.tsx'
import { proposeEdits } from '../changes.ts'
import styles from '../products.module.css'
import { strings } from '../strings.ts'
import { type EditDraft, editOf, newDraft, titleOf } from './edit-draft.ts'
import { findMissing, sortEditErrors } from './edit-errors.ts'
import { EditRow } from './edit-row.tsx'

type Values = { title: string; edits: EditDraft[] }
type Props = {
  project: number
  filter: string
  count: number
  /** The language or market whose values change; by default, the base. */
  market?: string | undefined
  /** The edits that the dialog starts with. */
  edits?: EditDraft[]
  close: () => void
}

/** Edits all selected products. Creates a proposal, which the user reviews before anything changes. */
export function EditDialog({ project, filter, count, market, edits: given, close }: Props) {
  const { form, submission } = useProposing({ project, filter, market, given, close })
  const label = marketLabel(market, useMarkets().markets)
  const { edits } = form.getValues()
  const fields = useRef<HTMLDivElement>(null)
  // Focus the first field with an error.
  const fieldErrors = form.errors
  useEffect(() => {
    if (Object.keys(fieldErrors).length > 0)
      fields.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
  }, [fieldErrors])

  return (
    <ActionDialog
      title={market === undefined ? strings.edit.title(count) : strings.edit.titleIn(count, label)}
      isPending={submission.isPending}
      isFilled={form.isDirty()}
      close={close}
    >
      <Form submission={submission} action={strings.edit.propose(count)} cancel={close}>
        <div ref={fields} className={styles.stack}>
          <p className={styles.hint}>{strings.edit.hint}</p>
          {count > proposalLimits.filteredProducts && (
            <Alert color="yellow" icon={<Icon name="alert" />}>
              {strings.edit.tooMany(proposalLimits.filteredProducts)}
            </Alert>
          )}
          {edits.map((draft, index) => (
            <EditRow
              key={draft.key}
              project={project}
              draft={draft}
              number={index + 1}
              isInMarket={market !== undefined}
              errorOf={(name) => form.errors[`edits.${index}.${name}`]}
              change={(some) => {
                form.setErrors({})
                form.replaceListItem('edits', index, { ...draft, ...some })
              }}
              remove={edits.length === 1 ? undefined : () => form.removeListItem('edits', index)}
            />
          ))}
          <div>
            <Button
              variant="default"
              size="xs"
              leftSection={<Icon name="plus" size={14} />}
              disabled={edits.length >= proposalLimits.edits}
              onClick={() => form.insertListItem('edits', newDraft())}
            >
              {strings.edit.addEdit}
            </Button>
          </div>
          <TextInput
            label={strings.edit.proposalTitle}
            description={strings.edit.proposalTitleHint}
            placeholder={titleOf(edits)}
            maxLength={proposalLimits.titleCharacters}
            {...form.getInputProps('title')}
          />
        </div>
      </Form>
    </ActionDialog>
  )
}

type Proposing = Pick<Props, 'project' | 'filter' | 'market' | 'close'> & { given: EditDraft[] | undefined }

/** Sends the edits and opens the proposal. */
function useProposing({ project, filter, market, given = [newDraft()], close }: Proposing) {
  const form = useForm<Values>({
    initialValues: { title: '', edits: given },
    validate: ({ edits }) => findMissing(edits),
  })
  const router = useRouter()
  const proposing = useMutation({
    mutationFn: ({ title, edits }: Values) =>
      proposeEdits(project, {
        title: title.trim() || titleOf(edits),
        filter,
        edits: edits.map((edit) => editOf(edit, market)),
      }),
    onSuccess({ id }) {
      // Closed first: a user who goes back before the proposal is loaded finds the page, not the dialog.
      close()
      router.history.push(`/projects/${project}/proposals/${id}`)
    },
    onError: (error, { edits }) => form.setErrors(sortEditErrors(error, edits).atFields),
  })
  const { error, variables } = proposing
  const submission = {
    submit: form.onSubmit((values) => proposing.mutate(values)),
    isPending: proposing.isPending,
    problem: error === null ? undefined : sortEditErrors(error, variables?.edits ?? []).left,
  }
  return { form, submission }
}
