import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { notifyError, notifySuccess } from '../parts/notify.ts'
import { usePermissions } from '../parts/permissions.ts'
import { productStatuses } from '../parts/product-status.tsx'
import { WriteButton } from '../prompt-runs/write/write-button.tsx'
import type { ProductStatus } from '../wire.ts'
import { patchProduct } from './changes.ts'
import type { ProductForm } from './draft/use-product-form.ts'
import { productQuery } from './queries.ts'
import { strings } from './strings.ts'

/** Actions that take effect immediately, without saving the form. */
export function ProductActions({ form }: { form: ProductForm }) {
  const { base, adopt } = form
  const queries = useQueryClient()
  const set = useMutation({
    mutationFn: (status: ProductStatus) => patchProduct(base.project, base.id, { status }, base.version),
    onSuccess: async (response) => {
      await adopt(response, undefined, ['status'])
      const label = productStatuses.find(({ status }) => status === response.status)?.label ?? response.status
      notifySuccess(strings.actions.statusChanged(label.toLowerCase()))
    },
    onError: (error) => {
      notifyError(error)
      void queries.invalidateQueries({ queryKey: productQuery(base.project, base.id).queryKey })
    },
  })
  if (!usePermissions().canWrite) return null
  return (
    <>
      {base.status !== 'active' && (
        <Button variant="default" loading={set.isPending} onClick={() => set.mutate('active')}>
          {strings.actions.activate}
        </Button>
      )}
      {base.status !== 'archived' && (
        <Button variant="default" loading={set.isPending} onClick={() => set.mutate('archived')}>
          {strings.actions.archive}
        </Button>
      )}
      <WriteButton target={{ project: base.project, count: 1, products: { products: [base.id] } }} />
      <Button
        component={Link}
        to="/projects/$projectId/products/new"
        params={{ projectId: base.project } as never}
        search={{ duplicate: base.id } as never}
        variant="default"
      >
        {strings.actions.duplicate}
      </Button>
    </>
  )
}
