import { Button, Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense, useMemo, useState } from 'react'
import { Icon } from '../../parts/icons.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Card } from '../../parts/page.tsx'
import { usePermissions } from '../../parts/permissions.ts'
import { lazyPart } from '../../routes/lazy-page.ts'
import type { ProductDetail } from '../../wire.ts'
import { allVariantsQuery } from '../queries.ts'
import { strings } from '../strings.ts'
import { AddVariantDialog, type AxisValues } from './add-variant-dialog.tsx'
import { axesOf } from './variant-axes.ts'
import { VariantMatrix } from './variant-matrix.tsx'

const loadSheet = lazyPart(() => import('./matrix-sheet.tsx'))
const MatrixSheet = lazy(async () => ({ default: (await loadSheet()).MatrixSheet }))

type Props = { product: ProductDetail; rows: string; columns: string; lead: ReactNode }

/** The variants of a product with two axes, to read or to edit. */
export function MatrixCard({ product, rows, columns, lead }: Props) {
  const query = useQuery(allVariantsQuery(product.project, product.id))
  const [isEditing, setEditing] = useState(false)
  const [added, setAdded] = useState<AxisValues>()
  const { canWrite } = usePermissions()
  const variants = query.data?.results
  const axes = useMemo(() => axesOf(variants ?? [], rows, columns), [variants, rows, columns])
  const edit = canWrite && !isEditing && (
    <Button
      size="xs"
      variant="default"
      leftSection={<Icon name="pencil" size={14} />}
      onClick={() => setEditing(true)}
    >
      {strings.variants.edit}
    </Button>
  )
  return (
    <Card title={strings.variants.title} lead={lead} actions={edit || undefined} flush>
      <Loaded query={query}>
        {({ results }) =>
          isEditing ? (
            <Suspense fallback={<Skeleton height={200} radius={0} />}>
              <MatrixSheet
                product={product}
                variants={results}
                axes={axes}
                add={setAdded}
                stop={() => setEditing(false)}
              />
            </Suspense>
          ) : (
            <VariantMatrix axes={axes} family={product.media} add={canWrite ? setAdded : undefined} />
          )
        }
      </Loaded>
      {added !== undefined && (
        <AddVariantDialog product={product} values={added} close={() => setAdded(undefined)} />
      )}
    </Card>
  )
}
