import { useQuery, useQueryClient } from '@tanstack/react-query'
import { labelIn } from '../../markets/labels.ts'
import { useMarkets } from '../../markets/use-markets.ts'
import { ConfirmDialog } from '../../parts/dialogs/dialogs.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { notifySuccess } from '../../parts/notify.ts'
import type { ProductDetail } from '../../wire.ts'
import { revertProduct } from '../changes.ts'
import { draftOf } from '../draft/draft.ts'
import { changedFields } from '../draft/draft-changes.ts'
import { shownFields } from '../draft/draft-shown.ts'
import { pastProductQuery, productQuery } from '../queries.ts'
import { strings } from '../strings.ts'
import { FieldValue } from './field-value.tsx'
import { flatValues } from './flat-values.ts'
import styles from './history.module.css'
import { useProductInAllViews } from './use-product-in-all-views.ts'

/** A whole version, identified by its time, or one field of it. */
export type Restoration = { version: number } & ({ at: string } | { field: string; value: unknown })

type Props = {
  product: ProductDetail
  restoration: Restoration
  restored: (response: ProductDetail) => Promise<unknown>
  close: () => void
}

/** Shows what changes before the user confirms. Restoring creates a new version and keeps the history. */
export function RestoreDialog({ product, restoration, restored, close }: Props) {
  const queries = useQueryClient()
  const { version } = restoration
  const { markets } = useMarkets()
  const field = 'field' in restoration ? restoration.field : undefined

  return (
    <ConfirmDialog
      title={
        field === undefined
          ? strings.restore.versionTitle(version)
          : strings.restore.fieldTitle(labelIn(field, markets), version)
      }
      action={
        field === undefined
          ? strings.restore.version(version)
          : strings.restore.field(labelIn(field, markets))
      }
      close={close}
      run={async () => {
        const body = { version, ...(field !== undefined && { fields: [field] }) }
        const response = await revertProduct(product.project, product.id, body, product.version).catch(
          (error) => {
            // If another user saved first, show their version.
            void queries.invalidateQueries({ queryKey: productQuery(product.project, product.id).queryKey })
            throw error
          },
        )
        await restored(response)
        const isChanged = response.version !== product.version
        notifySuccess(isChanged ? strings.restore.restored(response.version) : strings.restore.alreadySame)
        close()
      }}
    >
      {'at' in restoration ? (
        <VersionChanges product={product} at={restoration.at} />
      ) : (
        <FieldChanges product={product} field={restoration.field} value={restoration.value} />
      )}
    </ConfirmDialog>
  )
}

function FieldChanges({ product, field, value }: { product: ProductDetail; field: string; value: unknown }) {
  const { current } = useProductInAllViews(product)
  return <Changes rows={[[field, flatValues(current).get(field), value]]} />
}

type Row = [field: string, now: unknown, then: unknown]

/** The values in languages and markets that a restored version changes. */
function marketRows(now: ProductDetail, then: ProductDetail): Row[] {
  const [current, past] = [now, then].map(({ views = {} }) => flatValues({ views })) as [
    Map<string, unknown>,
    Map<string, unknown>,
  ]
  return [...new Set([...current.keys(), ...past.keys()])]
    .map((field): Row => [field, current.get(field), past.get(field)])
    .filter(([, one, other]) => JSON.stringify(one) !== JSON.stringify(other))
}

function VersionChanges({ product, at }: { product: ProductDetail; at: string }) {
  const { current, has_views } = useProductInAllViews(product)
  const query = useQuery(pastProductQuery(product.project, product.id, at, has_views))
  return (
    <Loaded query={query} rows={3}>
      {(past) => {
        const now = draftOf(product)
        // Versions do not include stock levels.
        const then = { ...draftOf(past), inventory: now.inventory }
        const [shownNow, shownThen] = [shownFields(now), shownFields(then)]
        const fields = [...changedFields(now, then).keys()]
        const rows = [
          ...fields.map((field): Row => [field, shownNow.get(field), shownThen.get(field)]),
          ...marketRows(current, past),
        ]
        return rows.length === 0 ? <p>{strings.restore.noChanges}</p> : <Changes rows={rows} />
      }}
    </Loaded>
  )
}

function Changes({ rows }: { rows: Row[] }) {
  const { markets } = useMarkets()
  return (
    <>
      <p>{strings.restore.changes}</p>
      <dl className={styles.restored}>
        {rows.map(([field, now, then]) => (
          <div key={field} className={styles.restoredField}>
            <dt>
              <bdi>{labelIn(field, markets)}</bdi>
            </dt>
            <dd>
              <del>
                <FieldValue field={field} value={now} />
              </del>
            </dd>
            <dd>
              <ins>
                <FieldValue field={field} value={then} />
              </ins>
            </dd>
          </div>
        ))}
      </dl>
    </>
  )
}
