import { useQuery, useQueryClient } from '@tanstack/react-query'
import { fieldLabel } from '../../../src/model/fields/field-paths.ts'
import { ConfirmDialog } from '../../parts/dialogs/dialogs.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { notifySuccess } from '../../parts/notify.ts'
import type { ProductDetail } from '../../wire.ts'
import { revertProduct } from '../changes.ts'
import { draftOf } from '../draft/draft.ts'
import { changedFields } from '../draft/draft-changes.ts'
import { flatFields } from '../draft/draft-fields.ts'
import { shownFields } from '../draft/draft-shown.ts'
import { pastProductQuery, productQuery } from '../queries.ts'
import { strings } from '../strings.ts'
import { ValueText } from '../value-text.tsx'
import styles from './history.module.css'

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
  const field = 'field' in restoration ? restoration.field : undefined

  return (
    <ConfirmDialog
      title={
        field === undefined
          ? strings.restore.versionTitle(version)
          : strings.restore.fieldTitle(fieldLabel(field), version)
      }
      action={
        field === undefined ? strings.restore.version(version) : strings.restore.field(fieldLabel(field))
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
        <Changes
          rows={[[restoration.field, flatFields(product).get(restoration.field), restoration.value]]}
        />
      )}
    </ConfirmDialog>
  )
}

function VersionChanges({ product, at }: { product: ProductDetail; at: string }) {
  const query = useQuery(pastProductQuery(product.project, product.id, at))
  return (
    <Loaded query={query} rows={3}>
      {(past) => {
        const now = draftOf(product)
        // Versions do not include stock levels.
        const then = { ...draftOf(past), inventory: now.inventory }
        const [shownNow, shownThen] = [shownFields(now), shownFields(then)]
        const fields = [...changedFields(now, then).keys()]
        return fields.length === 0 ? (
          <p>{strings.restore.noChanges}</p>
        ) : (
          <Changes rows={fields.map((field) => [field, shownNow.get(field), shownThen.get(field)])} />
        )
      }}
    </Loaded>
  )
}

function Changes({ rows }: { rows: [field: string, now: unknown, then: unknown][] }) {
  return (
    <>
      <p>{strings.restore.changes}</p>
      <dl className={styles.restored}>
        {rows.map(([field, now, then]) => (
          <div key={field} className={styles.restoredField}>
            <dt>
              <bdi>{fieldLabel(field)}</bdi>
            </dt>
            <dd>
              <del>
                <ValueText value={now} />
              </del>
            </dd>
            <dd>
              <ins>
                <ValueText value={then} />
              </ins>
            </dd>
          </div>
        ))}
      </dl>
    </>
  )
}
