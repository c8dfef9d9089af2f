import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { saleAttributes } from '../../src/model/fields/sale-attributes.ts'
import { notifySuccess } from '../parts/notify.ts'
import { ProblemAlert } from '../parts/problem.tsx'
import type { AttributeDefinition } from '../wire.ts'
import styles from './attributes.module.css'
import { createDefinition } from './changes.ts'
import { emptyDefinition } from './definition-form.ts'
import { strings } from './strings.ts'

const inGroup = { ...emptyDefinition, group: strings.sale.group }
const definitions: AttributeDefinition[] = [
  { ...inGroup, name: saleAttributes.price, label: strings.sale.price, type: 'number', min: 0 },
  { ...inGroup, name: saleAttributes.startsOn, label: strings.sale.startsOn, type: 'date' },
  { ...inGroup, name: saleAttributes.endsOn, label: strings.sale.endsOn, type: 'date' },
]

/** Offers to define the attributes of sales, until all of them are defined. */
export function SaleDefinitions({ project, defined }: { project: number; defined: ReadonlySet<string> }) {
  const queries = useQueryClient()
  const missing = definitions.filter(({ name }) => !defined.has(name))
  const defining = useMutation({
    mutationFn: async () => {
      for (const definition of missing) await createDefinition(project, definition)
    },
    onSuccess: () => notifySuccess(strings.sale.done),
    onSettled: () => queries.invalidateQueries({ queryKey: ['project', project] }),
  })
  if (missing.length === 0) return null
  return (
    <div className={styles.offer}>
      <p>{strings.sale.offer(missing.map(({ name }) => name))}</p>
      <Button size="xs" variant="default" loading={defining.isPending} onClick={() => defining.mutate()}>
        {strings.sale.define}
      </Button>
      {defining.error !== null && <ProblemAlert error={defining.error} />}
    </div>
  )
}
