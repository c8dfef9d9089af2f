import { useHotkeys } from '@mantine/hooks'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useRouteContext, useSearch } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { fieldLabel } from '../../src/model/fields/field-paths.ts'
import { MissingPage } from '../pages/missing-page.tsx'
import { LeaveDialog } from '../parts/dialogs/leave-dialog.tsx'
import { SaveBar } from '../parts/forms/save-bar.tsx'
import { Loaded } from '../parts/loaded.tsx'
import { notifySuccess } from '../parts/notify.ts'
import { Page } from '../parts/page.tsx'
import { usePermissions } from '../parts/permissions.ts'
import { ProblemAlert } from '../parts/problem.tsx'
import { ProductFields } from './cards/product-fields.tsx'
import { createProduct } from './changes.ts'
import { type Draft, duplicateOf, emptyDraft } from './draft/draft.ts'
import { changedFields, patchOf } from './draft/draft-changes.ts'
import { useDraft } from './draft/use-draft.ts'
import { focusField } from './focus-field.ts'
import { ListNavigation } from './list-navigation.tsx'
import { useMediaUploads } from './media/use-media-uploads.ts'
import styles from './product.module.css'
import { productQuery } from './queries.ts'
import { strings } from './strings.ts'

export function NewProductPage() {
  const { project } = useRouteContext({ from: '/signed-in/projects/$projectId' })
  const { duplicate } = useSearch({ from: '/signed-in/projects/$projectId/products/new' })
  const query = useQuery({ ...productQuery(project.id, duplicate ?? 0), enabled: duplicate !== undefined })
  const { canWrite } = usePermissions()
  if (!canWrite) return <MissingPage />
  const lead = duplicate === undefined ? strings.new.lead : strings.new.copyLead(query.data?.sku)
  return (
    <>
      <ListNavigation project={project.id} from={undefined} />
      <Page title={strings.new.title} lead={lead}>
        {duplicate === undefined ? (
          <Creator key="new" project={project.id} currency={project.currency} initial={emptyDraft} />
        ) : (
          <Loaded query={query} rows={12}>
            {(product) => (
              <Creator
                key={duplicate}
                project={project.id}
                currency={project.currency}
                initial={duplicateOf(product)}
              />
            )}
          </Loaded>
        )}
      </Page>
    </>
  )
}

type Props = { project: number; currency: string; initial: Draft }

function Creator({ project, currency, initial }: Props) {
  const queries = useQueryClient()
  const navigate = useNavigate()
  const [begun] = useState(initial)
  const { draft, fieldErrors, problem, change, fail, check } = useDraft(begun)
  const uploads = useMediaUploads(project, draft.media, change)
  const [made, setMade] = useState<number>()
  const create = useMutation({
    mutationFn: () =>
      createProduct(project, { ...patchOf(emptyDraft, draft), sku: draft.sku, name: draft.name }),
    onSuccess: (product) => {
      queries.setQueryData(productQuery(project, product.id).queryKey, product)
      void queries.invalidateQueries({ queryKey: ['project', project] })
      notifySuccess(strings.new.created(product.sku))
      setMade(product.id)
    },
    onError: fail,
  })
  useEffect(() => {
    // Navigate only after the page knows that nothing is unsaved.
    if (made === undefined) return
    const params = { projectId: project, productId: made }
    void navigate({ to: '/projects/$projectId/products/$productId', params, search: {}, replace: true })
  }, [made, navigate, project])
  useEffect(() => focusField(begun.name === '' ? 'name' : 'sku'), [begun])
  const changed = [...changedFields(begun, draft).keys()]
  const save = () => {
    if (!create.isPending && made === undefined && check()) create.mutate()
  }
  useHotkeys([['mod+S', save, { preventDefault: true }]], [])
  return (
    <div>
      {problem !== undefined && (
        <div className={styles.problem}>
          <ProblemAlert error={problem} title={strings.new.notCreated} />
        </div>
      )}
      <ProductFields {...{ draft, fieldErrors, change, project, currency, uploads }} />
      <SaveBar
        action={strings.new.create}
        changed={changed.map(fieldLabel)}
        isPending={create.isPending}
        save={save}
      />
      <LeaveDialog isDirty={(changed.length > 0 || uploads.isRunning) && made === undefined} />
    </div>
  )
}
