import { Button } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import { useState } from 'react'
import { focusContent } from '../parts/dialogs/restore-focus.ts'
import { numberText } from '../parts/format/number-text.ts'
import { similarNames } from '../parts/format/similar-names.ts'
import { type Column, DataTable } from '../parts/lists/data-table.tsx'
import { Empty, Loaded } from '../parts/loaded.tsx'
import { Card } from '../parts/page.tsx'
import type { AttributeSuggestion, AttributeSuggestions } from '../wire.ts'
import styles from './attributes.module.css'
import { UsedBy } from './definition-columns.tsx'
import { limitsText, typeText } from './labels.ts'
import { strings } from './strings.ts'

type Props = {
  project: number
  query: UseQueryResult<AttributeSuggestions>
  /** Names that are already defined. */
  defined: ReadonlySet<string>
  /** Undefined if the user cannot define attributes. */
  define: ((suggestion: AttributeSuggestion) => void) | undefined
  /** Renames the attribute to a similar name. Undefined as above. */
  rename: ((suggestion: AttributeSuggestion, to: string) => void) | undefined
}

const shownAtFirst = 10
const maxValues = 3

/** Undefined attributes found in products, with a suggested definition. */
export function SuggestionsCard(props: Props) {
  const { query, defined } = props
  const [isWhole, showAll] = useState(false)
  return (
    <Card title={strings.suggestions.title} lead={<Lead data={query.data} />} flush>
      <Loaded query={query}>
        {({ results, products }) => {
          const open = results.filter(({ name }) => !defined.has(name))
          const names = [...defined, ...open.map(({ name }) => name)]
          if (open.length === 0)
            return (
              <Empty title={strings.suggestions.noneTitle}>
                {products === 0 ? strings.suggestions.noProducts : strings.suggestions.allDefined}
              </Empty>
            )
          return (
            <>
              <DataTable
                label={strings.suggestions.list}
                columns={columnsFor(props, names)}
                rows={isWhole ? open : open.slice(0, shownAtFirst)}
                rowId={({ name }) => name}
              />
              {!isWhole && open.length > shownAtFirst && (
                <div className={styles.more}>
                  <Button
                    size="xs"
                    variant="default"
                    onClick={() => {
                      showAll(true)
                      focusContent()
                    }}
                  >
                    {strings.suggestions.showAll} {numberText(open.length)}
                  </Button>
                </div>
              )}
            </>
          )
        }}
      </Loaded>
    </Card>
  )
}

function Lead({ data }: { data: AttributeSuggestions | undefined }) {
  if (data === undefined || data.products === 0) return strings.suggestions.lead
  const { looked_at, products } = data
  return looked_at < products
    ? strings.suggestions.leadSample(looked_at, products)
    : strings.suggestions.leadAll(products)
}

function columnsFor(
  { project, query: { data: seen }, define, rename }: Props,
  names: string[],
): Column<AttributeSuggestion>[] {
  return [
    {
      header: strings.suggestions.columns.attribute,
      id: 'attribute',
      cell: ({ row: { original } }) => {
        const similar = similarNames(original.name, names)
        return (
          <div className={styles.name}>
            <bdi>{original.name}</bdi>
            {similar.length > 0 && (
              <bdi className={styles.similar}>{strings.suggestions.similar(similar)}</bdi>
            )}
          </div>
        )
      },
    },
    {
      header: strings.suggestions.columns.products,
      id: 'products',
      isNumber: true,
      cell: ({ row: { original } }) => <UsedBy project={project} name={original.name} seen={seen} />,
    },
    {
      header: strings.suggestions.columns.values,
      id: 'values',
      cell: ({ row: { original } }) => {
        const others = original.distinct - maxValues
        const seen = original.values.slice(0, maxValues).map(({ value }) => valueText(value))
        return (
          <div className={styles.values}>
            <bdi>{seen.join(', ')}</bdi>
            {others > 0 && strings.definition.more(others)}
          </div>
        )
      },
    },
    {
      header: strings.suggestions.columns.definition,
      id: 'definition',
      cell: ({ row: { original } }) => {
        const limits = limitsText(original.definition)
        return `${typeText(original.definition)}${limits === '' ? '' : `: ${limits}`}`
      },
    },
    ...(define === undefined || rename === undefined ? [] : [actionColumn(define, rename, names)]),
  ]
}

function valueText(value: AttributeSuggestion['values'][number]['value']): string {
  if (typeof value !== 'boolean') return String(value)
  return value ? strings.suggestions.yes : strings.suggestions.no
}

/** The first similar name is a defined attribute, or else the one that most products have. */
const actionColumn = (
  define: NonNullable<Props['define']>,
  rename: NonNullable<Props['rename']>,
  names: string[],
): Column<AttributeSuggestion> => ({
  header: strings.suggestions.columns.actions,
  id: 'define',
  cell: ({ row: { original } }) => {
    const [similar] = similarNames(original.name, names)
    const isLater = similar !== undefined && names.indexOf(similar) < names.indexOf(original.name)
    return (
      <div className={styles.actions}>
        {isLater && (
          <Button size="xs" variant="light" onClick={() => rename(original, similar)}>
            {strings.suggestions.rename(similar)}
          </Button>
        )}
        <Button size="xs" variant="default" onClick={() => define(original)}>
          {strings.suggestions.define}
          <span className="unseen"> {original.name}</span>
        </Button>
      </div>
    )
  },
})
