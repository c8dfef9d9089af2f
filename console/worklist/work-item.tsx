import { Alert, Title } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { useEffect, useState } from 'react'
import { LeaveDialog } from '../parts/dialogs/leave-dialog.tsx'
import { notifySuccess } from '../parts/notify.ts'
import { ProblemAlert } from '../parts/problem.tsx'
import { ProductStatusTag } from '../parts/product-status.tsx'
import { ConflictDialog } from '../product/draft/conflict-dialog.tsx'
import { useProductForm } from '../product/draft/use-product-form.ts'
import { fieldId, focusField, focusSoon } from '../product/focus-field.ts'
import product from '../product/product.module.css'
import { ProductLink } from '../product/product-link.tsx'
import { ChangedNotice } from '../product/product-states.tsx'
import type { ProductDetail } from '../wire.ts'
import { AboutProduct } from './about-product.tsx'
import { fieldOfRule, type QualityRule, RuleFields } from './rule-fields.tsx'
import { strings } from './strings.ts'
import { WorkBar } from './work-bar.tsx'
import type { WorkStep } from './work-steps.tsx'
import styles from './worklist.module.css'

type Props = WorkStep & { project: number; rule: QualityRule }

/** One product of a worklist: the fields of the rule, and product data for context. */
export function WorkItem({ project, rule, live, isMoving, skip, hold }: Props) {
  const [still, setStill] = useState<string>()
  const [isDone, setDone] = useState(false)
  const form = useProductForm(project, live, (response) => {
    const failed = response.quality_score.rules.find(({ code, passed }) => code === rule.code && !passed)
    setStill(failed?.message)
    setDone(failed === undefined)
    if (failed === undefined) notifySuccess(strings.item.saved(response.sku))
    else focusField(fieldOfRule(rule))
  })
  const { base, isDirty } = form
  useEffect(() => hold(isDirty), [hold, isDirty])
  useEffect(() => {
    // Focus the field, so that the user can work by keyboard.
    focusSoon(fieldId(fieldOfRule(rule)))
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
      <ProductHead product={base} />
      {form.problem !== undefined && <ProblemAlert error={form.problem} title={strings.item.notSaved} />}
      {isDirty && live.version !== base.version && <ChangedNotice live={live} />}
      {still !== undefined && (
        <Alert color="yellow" role="alert" title={strings.item.stillFails}>
          {still}
        </Alert>
      )}
      <div className={product.columns}>
        <div className={styles.work}>
          <RuleFields project={project} rule={rule} form={form} />
          <WorkBar
            changed={form.changed}
            isPending={form.isPending || (isDone && isMoving)}
            save={form.save}
            skip={skip}
          />
        </div>
        <AboutProduct product={base} />
      </div>
      {form.theirs !== undefined && (
        <ConflictDialog
          base={form.before}
          theirs={form.theirs}
          mine={form.draft}
          save={form.merge}
          close={form.keepEditing}
        />
      )}
      <LeaveDialog isDirty={isDirty || form.uploads.isRunning} isOfSearch />
    </>
  )
}

function ProductHead({ product: { project, id, name, sku, status } }: { product: ProductDetail }) {
  return (
    <div className={styles.head}>
      <Title order={2}>
        <ProductLink project={project} id={id}>
          <bdi>{name}</bdi>
        </ProductLink>
      </Title>
      <code>{sku}</code>
      <ProductStatusTag status={status} />
    </div>
  )
}
