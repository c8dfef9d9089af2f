import { TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { ActionDialog } from '../../parts/dialogs/dialogs.tsx'
import { RelativeTime } from '../../parts/format/relative-time.tsx'
import { Form, useSubmission } from '../../parts/forms/form.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { notifySuccess } from '../../parts/notify.ts'
import { parseNumber } from '../../parts/numbers/parse-number.ts'
import type { ProductDetail, StoredAdjustment } from '../../wire.ts'
import { adjustStock } from '../changes.ts'
import { countText, signedText } from '../numbers.ts'
import styles from '../product.module.css'
import { adjustmentsQuery, productQuery } from '../queries.ts'
import { strings } from '../strings.ts'
import list from './inventory-card.module.css'

type Props = { product: ProductDetail; close: () => void }

/** Adds to the quantity atomically, so that concurrent adjustments do not overwrite each other. */
export function AdjustDialog({ product, close }: Props) {
  const queries = useQueryClient()
  const { project, id } = product
  const form = useForm({ initialValues: { delta: '', reason: '' } })
  const submission = useSubmission(
    form,
    async ({ delta, reason }) => adjustStock(project, id, { delta: parseNumber('/delta', delta), reason }),
    (inventory) => {
      const { queryKey } = productQuery(project, id)
      queries.setQueryData(queryKey, (before) => before && { ...before, inventory })
      void queries.invalidateQueries({ queryKey: adjustmentsQuery(project, id).queryKey })
      notifySuccess(strings.adjust.adjusted(countText(inventory.quantity)))
      close()
    },
  )
  return (
    <ActionDialog title={strings.adjust.title(product.sku)} isPending={submission.isPending} close={close}>
      <Form submission={submission} action={strings.adjust.action} cancel={close}>
        <TextInput
          label={strings.adjust.change}
          description={strings.adjust.changeHint(countText(product.inventory?.quantity ?? 0))}
          inputMode="text"
          data-autofocus
          {...form.getInputProps('delta')}
        />
        <TextInput
          label={strings.adjust.reason}
          placeholder={strings.adjust.reasonPlaceholder}
          maxLength={255}
          {...form.getInputProps('reason')}
        />
      </Form>
      <h3 className={list.subhead}>{strings.adjust.latest}</h3>
      <Loaded query={useQuery(adjustmentsQuery(project, id))} rows={3}>
        {({ results }) =>
          results.length === 0 ? (
            <p className={styles.note}>{strings.adjust.none}</p>
          ) : (
            <ul className={list.adjustments}>
              {results.map((one) => (
                <Adjustment key={one.id} adjustment={one} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </ActionDialog>
  )
}

function Adjustment({
  adjustment: { delta, quantity, reason, actor, created_at },
}: {
  adjustment: StoredAdjustment
}) {
  return (
    <li>
      <strong className="tabular">{signedText(delta)}</strong>
      <span>
        <bdi>{reason}</bdi>
        <span className={styles.small}>
          {' '}
          {strings.adjust.result(countText(quantity))} <bdi>{actor}</bdi> · <RelativeTime at={created_at} />
        </span>
      </span>
    </li>
  )
}
