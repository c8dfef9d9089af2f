import { Alert } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import dialog from '../../parts/dialogs/dialogs.module.css'
import { Facts } from '../../parts/facts.tsx'
import { numberText } from '../../parts/format/number-text.ts'
import { Icon } from '../../parts/icons.tsx'
import { namedProductsQuery } from '../../product/queries.ts'
import type { RunCreate, RunPreview } from '../../wire.ts'
import { costText } from '../cost-text.ts'
import styles from '../prompt-runs.module.css'
import { strings } from './strings.ts'

type Props = { project: number; preview: RunPreview; budget: RunCreate['budget'] }

/** What a run would send and cost. Gets the focus, because it replaces the form. */
export function Preview({ project, preview, budget }: Props) {
  const section = useRef<HTMLElement>(null)
  useEffect(() => section.current?.focus(), [])
  const { products, cost, missing_variables: missing } = preview
  const { previewed } = strings
  const price = (amount: number) => costText(amount, cost.currency)
  return (
    <section ref={section} tabIndex={-1} aria-label={previewed.label} className={styles.preview}>
      <Facts
        facts={{
          [previewed.products]: numberText(products),
          [previewed.expected]: price(cost.expected),
          [previewed.largest]: `${price(cost.largest)} ${previewed.largestHint}`,
          ...(budget !== undefined && { [previewed.budget]: price(budget.amount) }),
        }}
      />
      {budget !== undefined && cost.expected > budget.amount && (
        <Alert color="yellow" role="status" icon={<Icon name="alert" />}>
          {previewed.overBudget}
        </Alert>
      )}
      {missing.length > 0 && (
        <Alert
          color="yellow"
          role="status"
          icon={<Icon name="alert" />}
          title={previewed.missing(missing.length)}
        >
          <ul className={styles.missing}>
            {missing.map(({ name, products: count }) => (
              <li key={name}>
                <code>{name}</code>: {previewed.missingIn(count)}
              </li>
            ))}
          </ul>
        </Alert>
      )}
      <Prompts project={project} prompts={preview.prompts} />
    </section>
  )
}

function Prompts({ project, prompts }: { project: number; prompts: RunPreview['prompts'] }) {
  const ids = prompts.map(({ product_id }) => product_id)
  const { data: named } = useQuery(namedProductsQuery(project, ids))
  const { previewed } = strings
  if (prompts.length === 0) return <p className={styles.note}>{previewed.noPrompts}</p>
  return (
    <div className={styles.prompts}>
      <p className={dialog.label}>{previewed.prompts}</p>
      {prompts.map(({ product_id, text }, index) => {
        const label = previewed.promptOf(named?.get(product_id)?.name ?? previewed.product(product_id))
        return (
          <details key={product_id} open={index === 0}>
            <summary>
              <bdi>{label}</bdi>
            </summary>
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: long text scrolls, also by keyboard */}
            <section tabIndex={0} aria-label={label} className={styles.text} dir="auto">
              {text}
            </section>
          </details>
        )
      })}
    </div>
  )
}
