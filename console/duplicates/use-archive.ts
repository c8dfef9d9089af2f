import { useMutation, useQueryClient } from '@tanstack/react-query'
import { focusContent } from '../parts/dialogs/restore-focus.ts'
import { notifyError, notifySuccess } from '../parts/notify.ts'
import { notifyUndoable } from '../parts/toast.tsx'
import { patchProduct } from '../product/changes.ts'
import type { DuplicateGroup } from '../wire.ts'

import { strings } from './strings.ts'

type Product = DuplicateGroup['products'][number]

/** Archives a product at once, and offers to undo it. */
export function useArchive(project: number) {
  const queries = useQueryClient()
  const refresh = () => queries.invalidateQueries({ queryKey: ['project', project] })
  const undo = ({ id, sku, status }: Product, version: number) =>
    patchProduct(project, id, { status }, version).then(() => {
      notifySuccess(strings.restored(sku))
      return refresh()
    }, notifyError)
  return useMutation({
    mutationFn: ({ id, version }: Product) => patchProduct(project, id, { status: 'archived' }, version),
    onSuccess: async ({ version }, product) => {
      await refresh()
      // The button that had the focus is gone with its group.
      focusContent()
      notifyUndoable(strings.archived(product.sku), () => undo(product, version))
    },
    onError: async (error) => {
      notifyError(error)
      await refresh()
    },
  })
}
