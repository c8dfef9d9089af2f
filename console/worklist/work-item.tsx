import { Alert, Anchor } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { useEffect, useState } from 'react'
import { sayDone } from '../parts/done.ts'
import { Facts } from '../parts/facts.tsx'
import { LeaveDialog } from '../parts/leave-dialog.tsx'
import { Card } from '../parts/page.tsx'
import { ProblemAlert } from '../parts/problem.tsx'
import { ProductStatusTag } from '../parts/product-status.tsx'
import { ConflictDialog } from '../product/conflict-dialog.tsx'
import { focusField } from '../product/field-names.ts'
import product from '../product/product.module.css'
import { useFollow } from '../product/product-link.tsx'
import { ChangedMeanwhile } from '../product/product-states.tsx'
import { useProductForm } from '../product/use-product-form.ts'
import type { ProductDetail } from '../wire.ts'
import { fieldOfRule, type QualityRule, RuleFields } from './rule-fields.tsx'
import { WorkBar } from './work-bar.tsx'
import styles from './worklist.module.css'

type Props = {
  project: number
  rule: QualityRule
  live: ProductDetail
  /** The next product is looked for. */
  isMoving: boolean
  skip: () => void
  /** Keeps the product in sight while something is unsaved, whatever becomes of the list meanwhile. */
  hold: (isHeld: boolean) => void
}

/** One product of a worklist: the fields that its rule is about, and what there is to know for filling them. */
export function WorkItem({ project, rule, live, isMoving, skip, hold }: Props) {
  const [still, setStill] = useState<string>()
  const [isDone, setDone] = useState(false)
  const form = useProductForm(project, live, (answer) => {
    const failed = answer.quality_score.rules.find(({ code, passed }) => code === rule.code && !passed)
    setStill(failed?.message)
    setDone(failed === undefined)
    if (failed === undefined) sayDone(`${answer.sku} is saved.`)
    else focusField(fieldOfRule(rule))
  })
  const { base, isDirty } = form
  useEffect(() => hold(isDirty), [hold, isDirty])
  useEffect(() => {
    // Once the controls are there: whoever goes through many products does not reach for the mouse.
    const frame = requestAnimationFrame(() => focusField(fieldOfRule(rule)))
    return () => cancelAnimationFrame(frame)
  }, [rule])
  useHotkeys(
    [
      ['mod+Enter', form.save],
      ['mod+S', form.save],
      ['mod+shift+Enter', skip],
    ],
    [],
  )
  return (
    <>
      {form.problem !== undefined && <ProblemAlert error={form.problem} title="Not saved" />}
      {isDirty && live.version !== base.version && <ChangedMeanwhile live={live} />}
      {still !== undefined && (
        <Alert color="yellow" role="alert" title="Saved, but the rule is not met yet">
          {still}
        </Alert>
      )}
      <div className={product.columns}>
        <RuleFields project={project} rule={rule} form={form} />
        <AboutProduct product={base} />
      </div>
      <WorkBar
        changed={form.changed}
        isPending={form.isPending || (isDone && isMoving)}
        save={form.save}
        skip={skip}
      />
      {form.theirs !== undefined && (
        <ConflictDialog
          base={form.before}
          theirs={form.theirs}
          mine={form.draft}
          save={form.merge}
          close={form.keepEditing}
        />
      )}
      <LeaveDialog isDirty={isDirty} isOfSearch />
    </>
  )
}

const longest = 400
const none = <span className={product.none}>None</span>

function AboutProduct({
  product: { project, id, sku, status, price, currency, ...own },
}: {
  product: ProductDetail
}) {
  const follow = useFollow()
  const text = own.short_description || own.description
  return (
    <Card title="About the product">
      <Facts
        facts={{
          Name: (
            <Anchor {...follow(`/projects/${project}/products/${id}`)}>
              <bdi>{own.name}</bdi>
            </Anchor>
          ),
          SKU: <code>{sku}</code>,
          Status: <ProductStatusTag status={status} />,
          Price: price === null ? none : `${price.toLocaleString()} ${currency}`,
          Categories: own.categories.length === 0 ? none : own.categories.map(({ name }) => name).join(', '),
          Attributes: Object.keys(own.attributes).length === 0 ? none : attributeText(own.attributes),
          Text: text === '' ? none : <span className={styles.text}>{text.slice(0, longest)}</span>,
          Score: `${own.quality_score.score}, grade ${own.quality_score.grade}`,
        }}
      />
    </Card>
  )
}

function attributeText(attributes: ProductDetail['attributes']): string {
  const text = Object.entries(attributes)
    .map(([name, value]) => `${name}: ${[value].flat().join(', ')}`)
    .join('; ')
  return text.length > longest ? `${text.slice(0, longest)}…` : text
}
