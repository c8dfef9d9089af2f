import { Anchor, Title } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { fieldLabel } from '../../src/model/fields/field-paths.ts'
import { LeaveDialog } from '../parts/dialogs/leave-dialog.tsx'
import { notifySuccess } from '../parts/notify.ts'
import { Card } from '../parts/page.tsx'
import { ProblemAlert } from '../parts/problem.tsx'
import { ProductStatusTag } from '../parts/product-status.tsx'
import { fieldId, focusSoon } from '../product/focus-field.ts'
import own from '../product/market/market.module.css'
import { draftOf } from '../product/market/market-draft.ts'
import { MarketField } from '../product/market/market-field.tsx'
import { storedValue } from '../product/market/market-values.ts'
import { type MarketForm, useMarketForm } from '../product/market/use-market-form.ts'
import product from '../product/product.module.css'
import { useFollow } from '../product/product-link.tsx'
import { definitionsQuery } from '../product/queries.ts'
import type { AttributeDefinition, Market, ProductDetail } from '../wire.ts'
import { AboutProduct } from '../worklist/about-product.tsx'
import { WorkBar } from '../worklist/work-bar.tsx'
import type { WorkStep } from '../worklist/work-steps.tsx'
import styles from '../worklist/worklist.module.css'
import type { Position } from './position.ts'
import { strings } from './strings.ts'

type Props = WorkStep & {
  position: Position
  market: Market
  markets: readonly Market[]
  /** The product in the language or market. */
  product: ProductDetail
}

/** One product of the worklist: missing and outdated fields next to their sources. */
export function MarketItem({ position, live: base, isMoving, skip, hold, ...given }: Props) {
  const { market } = given
  const [isDone, setDone] = useState(false)
  const form = useMarketForm({
    ...given,
    base,
    saved: ({ sku, view }) => {
      setDone(isComplete(view, position.kind))
      notifySuccess(strings.saved(sku))
    },
  })
  const { shown, isDirty, changes } = form
  // The fields stay while the user fills them, and in the order of the definition.
  const [fields] = useState(() => fieldsOf(shown.product, market))
  const { data } = useQuery(definitionsQuery(shown.base.project))
  useEffect(() => hold(isDirty), [hold, isDirty])
  useOpenFields(form, fields.missing, data?.results)
  useHotkeys(
    [
      ['mod+Enter', form.save],
      ['mod+S', form.save],
      ['mod+shift+Enter', skip],
    ],
    [],
  )
  const list = (title: string, names: readonly string[]) =>
    names.length > 0 && (
      <Card title={title}>
        <div className={own.fields}>
          {names.map((field) => (
            <MarketField
              key={field}
              form={form}
              field={field}
              definition={definitionOf(field, data?.results)}
              isSideBySide
            />
          ))}
        </div>
      </Card>
    )
  return (
    <>
      <ProductHead product={shown.product} market={market} />
      {form.problem !== undefined && <ProblemAlert error={form.problem} title={strings.notSaved} />}
      <div className={product.columns}>
        <div className={product.column}>
          {fields.missing.length + fields.outdated.length === 0 && (
            <p className={product.note}>{strings.nothing}</p>
          )}
          {list(strings.fields.missing, fields.missing)}
          {list(strings.fields.outdated, fields.outdated)}
          <WorkBar
            changed={[...changes.keys()].map(fieldLabel)}
            isPending={form.isPending || (isDone && isMoving)}
            hint={strings.hint}
            save={form.save}
            skip={skip}
          />
        </div>
        <AboutProduct product={shown.base} />
      </div>
      <LeaveDialog isDirty={isDirty || form.uploads.isRunning} isOfSearch />
    </>
  )
}

function definitionOf(field: string, definitions: readonly AttributeDefinition[] = []) {
  return definitions.find(({ name }) => field === `attributes.${name}`)
}

function isComplete(view: ProductDetail['view'], kind: Position['kind']): boolean {
  return (kind === 'missing' ? view?.missing : view?.stale)?.length === 0
}

/** Outdated values of another language or market are checked there. */
function fieldsOf({ view }: ProductDetail, market: Market): { missing: string[]; outdated: string[] } {
  const missing = view?.missing ?? []
  const outdated = (view?.stale ?? []).filter(
    (field) => view?.from[field] === market.code && !missing.includes(field),
  )
  return { missing, outdated }
}

/** Opens the controls of missing fields and focuses the first field, so that the user can work by keyboard. */
function useOpenFields(
  form: MarketForm,
  missing: readonly string[],
  definitions: readonly AttributeDefinition[] | undefined,
): void {
  const { shown, edit } = form
  const isReady = definitions !== undefined
  const [isOpened, setOpened] = useState(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: once per product
  useEffect(() => {
    if (!isReady) return
    for (const field of missing)
      if (field !== 'media' && storedValue(shown, field) === undefined)
        edit(field, draftOf(field, undefined, definitionOf(field, definitions)))
    setOpened(true)
  }, [isReady])
  const first = missing[0] ?? shown.product.view?.stale[0]
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the control is rendered
  useEffect(() => {
    if (isOpened && first !== undefined) focusSoon(fieldId(first))
  }, [isOpened])
}

function ProductHead({
  product: { project, id, name, sku, status },
  market,
}: {
  product: ProductDetail
  market: Market
}) {
  const follow = useFollow()
  return (
    <div className={styles.head}>
      <Title order={2}>
        <Anchor {...follow(`/projects/${project}/products/${id}?market=${market.code}`)} inherit>
          <bdi>{name}</bdi>
        </Anchor>
      </Title>
      <code>{sku}</code>
      <ProductStatusTag status={status} />
    </div>
  )
}
