import { queryOptions } from '@tanstack/react-query'
import { read } from '../network.ts'
import type { ProductDetail } from '../wire.ts'

/** A product with the values that it inherits from its parent. */
export const comparedProductQuery = (project: number, id: number) =>
  queryOptions({
    queryKey: ['project', project, 'product', id, 'with-parent'],
    queryFn: ({ signal }) =>
      read<ProductDetail>(`/console/api/projects/${project}/products/${id}?resolve=parent`, signal),
  })
