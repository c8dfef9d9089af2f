import { TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQueryClient } from '@tanstack/react-query'
import { productLimits } from '../../../src/model/limits/products.ts'
import { FormDialog } from '../../parts/dialogs/form-dialog.tsx'
import { notifySuccess } from '../../parts/notify.ts'
import { atField } from '../../parts/problem.tsx'
import type { AttributeValue, ProductDetail } from '../../wire.ts'
import { createProduct } from '../changes.ts'
import { strings } from '../strings.ts'
import { valueText } from '../value-text.tsx'

/** The values of a variant that does not exist yet, by axis. */
export type AxisValues = Record<string, AttributeValue>

type Props = { product: ProductDetail; values: AxisValues; close: () => void }

/** Creates a variant with its axis values. Everything else comes from the parent until it gets its own value. */
export function AddVariantDialog({ product, values, close }: Props) {
  const { project, id } = product
  const queries = useQueryClient()
  const form = useForm({
    initialValues: { sku: suggestedSku(product, values), name: suggestedName(product, values) },
  })
  return (
    <FormDialog
      title={strings.variants.addTitle(axisNames(values))}
      action={strings.variants.addAction}
      form={form}
      send={({ sku, name }) =>
        createProduct(project, { sku, name, parent: { id }, attributes: values }).catch(
          atField('duplicate_sku', '/sku'),
        )
      }
      done={({ sku }) => {
        void queries.invalidateQueries({ queryKey: ['project', project] })
        notifySuccess(strings.new.created(sku))
        close()
      }}
      close={close}
    >
      <TextInput
        label={strings.variants.addSku}
        maxLength={productLimits.skuCharacters}
        data-autofocus
        {...form.getInputProps('sku')}
      />
      <TextInput label={strings.variants.addName} {...form.getInputProps('name')} />
    </FormDialog>
  )
}

export function axisNames(values: AxisValues): string {
  return Object.values(values).map(valueText).join(' / ')
}

/** `LAMP-30-CM-OAT`: the parent's SKU and the values in capitals. */
function suggestedSku({ sku }: ProductDetail, values: AxisValues): string {
  const parts = Object.values(values).map((value) =>
    valueText(value)
      .toUpperCase()
      .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
      .replaceAll(/^-|-$/g, ''),
  )
  return [sku, ...parts].filter(Boolean).join('-').slice(0, productLimits.skuCharacters)
}

function suggestedName({ name }: ProductDetail, values: AxisValues): string {
  return [name, ...Object.values(values).map(valueText)].join(', ')
}
