import { Button, Checkbox, NativeSelect, Popover } from '@mantine/core'
import { useRouteContext } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { Icon } from '../../parts/icons.tsx'
import { statusChoices, typeChoices } from '../filter-labels.ts'
import styles from '../products.module.css'
import { strings } from '../strings.ts'
import type { ViewChange } from '../view.ts'
import { CategorySelect } from './category-select.tsx'
import {
  changeOf,
  draftFor,
  emptyFilter,
  type FilterDraft,
  type FilterKind,
  filterKinds,
  hasInvalidNumber,
  isFilled,
} from './filter-draft.ts'
import { AttributeFields, PromptFields, RangeFields, RuleField } from './filter-fields.tsx'
import { MarketFilterFields } from './market-fields.tsx'

type Props = { project: number; apply: (change: ViewChange) => void }

export function AddFilter({ project, apply }: Props) {
  const [opened, setOpened] = useState(false)
  return (
    <Popover
      opened={opened}
      onChange={setOpened}
      position="bottom-end"
      width={340}
      trapFocus
      returnFocus
      shadow="md"
      withRoles={false}
    >
      <Popover.Target>
        <Button
          variant="default"
          leftSection={<Icon name="filter" size={16} />}
          aria-haspopup="dialog"
          aria-expanded={opened}
          onClick={() => setOpened((was) => !was)}
        >
          {strings.addFilter.title}
        </Button>
      </Popover.Target>
      <Popover.Dropdown role="dialog" aria-label={strings.addFilter.title} className={styles.popover}>
        <FilterForm
          project={project}
          apply={(change) => {
            setOpened(false)
            apply(change)
          }}
        />
      </Popover.Dropdown>
    </Popover>
  )
}

/** One filter: its kind and its condition. */
function FilterForm({ project, apply }: Props) {
  const { has_views } = useRouteContext({ from: '/signed-in/projects/$projectId' }).project
  const [draft, setDraft] = useState(emptyFilter)
  const change = (some: Partial<FilterDraft>) => setDraft((was) => ({ ...was, ...some }))
  const isReady = isFilled(draft) && !hasInvalidNumber(draft)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isReady) apply(changeOf(draft))
  }
  return (
    <form onSubmit={submit} className={styles.stack}>
      <NativeSelect
        label={strings.addFilter.kind}
        data={has_views ? filterKinds : filterKinds.filter(({ value }) => value !== 'market')}
        value={draft.kind}
        data-autofocus
        onChange={({ currentTarget }) => setDraft(draftFor(currentTarget.value as FilterKind))}
      />
      <KindFields key={draft.kind} project={project} draft={draft} change={change} />
      <Button type="submit" disabled={!isReady}>
        {strings.addFilter.apply}
      </Button>
    </form>
  )
}

type FieldsProps = {
  project: number
  draft: FilterDraft
  change: (some: Partial<FilterDraft>) => void
}

const yesNo: Partial<Record<FilterKind, { value: string; label: string }[]>> = {
  in_stock: [
    { value: 'true', label: strings.addFilter.inStock },
    { value: 'false', label: strings.addFilter.outOfStock },
  ],
  low_stock: [
    { value: 'true', label: strings.addFilter.lowStock },
    { value: 'false', label: strings.addFilter.notLowStock },
  ],
  has_image: [
    { value: 'true', label: strings.addFilter.withImage },
    { value: 'false', label: strings.addFilter.withoutImage },
  ],
}

function KindFields({ project, draft, change }: FieldsProps) {
  const { kind } = draft
  switch (kind) {
    case 'status':
    case 'product_type':
      return (
        <Checkbox.Group
          label={strings.addFilter.anyOf}
          value={draft.chosen}
          onChange={(chosen) => change({ chosen })}
        >
          <div className={styles.checks}>
            {(kind === 'status' ? statusChoices : typeChoices).map(({ value, label }) => (
              <Checkbox key={value} value={value} label={label} />
            ))}
          </div>
        </Checkbox.Group>
      )
    case 'category':
      return (
        <>
          <CategorySelect
            project={project}
            label={strings.addFilter.category}
            value={draft.found}
            choose={(found) => change({ found })}
            isInPopover
          />
          <Checkbox
            label={strings.addFilter.subcategories}
            checked={draft.isUnder}
            onChange={({ currentTarget }) => change({ isUnder: currentTarget.checked })}
          />
        </>
      )
    case 'in_stock':
    case 'low_stock':
    case 'has_image':
      return (
        <NativeSelect
          label={strings.addFilter.products}
          data={[{ value: '', label: strings.addFilter.choose }, ...(yesNo[kind] ?? [])]}
          value={draft.chosen[0] ?? ''}
          onChange={({ currentTarget: { value } }) => change({ chosen: value === '' ? [] : [value] })}
        />
      )
    case 'quality_score':
    case 'price':
      return <RangeFields draft={draft} change={change} />
    case 'quality_rule':
      return <RuleField project={project} draft={draft} change={change} />
    case 'attribute':
      return <AttributeFields project={project} draft={draft} change={change} />
    case 'written_by_prompt':
      return <PromptFields project={project} draft={draft} change={change} />
    case 'market':
      return <MarketFilterFields draft={draft} change={change} />
  }
}
