import { Button } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import { useState } from 'react'
import { focusContent } from '../parts/dialogs/focus-back.ts'
import { type Column, DataTable } from '../parts/lists/data-table.tsx'
import { Empty, Loaded } from '../parts/loaded.tsx'
import { Card } from '../parts/page.tsx'
import { counted, numberText } from '../parts/words/number-text.ts'
import type { AttributeSuggestion, AttributeSuggestions } from '../wire.ts'
import styles from './attributes.module.css'
import { UsedBy } from './definition-columns.tsx'
import { limitsText, typeText } from './words.ts'

type Props = {
  project: number
  query: UseQueryResult<AttributeSuggestions>
  /** Names that have a definition already. */
  defined: ReadonlySet<string>
  /** Undefined for those who define nothing. */
  define: ((suggestion: AttributeSuggestion) => void) | undefined
}

const shownAtFirst = 10
const mostValues = 3

/** Attributes that products have and nobody has defined, with the definition that they fit. */
export function SuggestionsCard({ project, query, defined, define }: Props) {
  const [isWhole, showAll] = useState(false)
  return (
    <Card title="Define from data" lead={<Lead data={query.data} />} flush>
      <Loaded query={query}>
        {({ results, products }) => {
          const open = results.filter(({ name }) => !defined.has(name))
          if (open.length === 0)
            return (
              <Empty title="Nothing to suggest">
                {products === 0
                  ? 'There are no products yet.'
                  : 'Every attribute of the products is defined.'}
              </Empty>
            )
          return (
            <>
              <DataTable
                label="Suggested definitions"
                columns={columnsFor(project, query.data, define)}
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
                    Show all {numberText(open.length)}
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
  if (data === undefined || data.products === 0) return 'What the products have.'
  const { looked_at, products } = data
  return looked_at < products
    ? `What ${counted(looked_at, 'product')} have, spread evenly over ${numberText(products)}.`
    : `What ${counted(products, 'product')} have.`
}

function columnsFor(
  project: number,
  seen: AttributeSuggestions | undefined,
  define: Props['define'],
): Column<AttributeSuggestion>[] {
  return [
    {
      header: 'Attribute',
      id: 'attribute',
      cell: ({ row }) => (
        <div className={styles.name}>
          <bdi>{row.original.name}</bdi>
        </div>
      ),
    },
    {
      header: 'Products',
      id: 'products',
      isNumber: true,
      cell: ({ row: { original } }) => <UsedBy project={project} name={original.name} seen={seen} />,
    },
    {
      header: 'Values seen',
      id: 'values',
      cell: ({ row: { original } }) => {
        const others = original.distinct - mostValues
        const seen = original.values.slice(0, mostValues).map(({ value }) => String(value))
        return (
          <div className={styles.values}>
            <bdi>{seen.join(', ')}</bdi>
            {others > 0 && ` and ${numberText(others)} more`}
          </div>
        )
      },
    },
    {
      header: 'Would be',
      id: 'definition',
      cell: ({ row: { original } }) => {
        const limits = limitsText(original.definition)
        return `${typeText(original.definition)}${limits === '' ? '' : `: ${limits}`}`
      },
    },
    ...(define === undefined ? [] : [defineColumn(define)]),
  ]
}

const defineColumn = (define: NonNullable<Props['define']>): Column<AttributeSuggestion> => ({
  header: 'Actions',
  id: 'define',
  cell: ({ row: { original } }) => (
    <Button size="xs" variant="default" onClick={() => define(original)}>
      Define<span className="unseen"> {original.name}</span>
    </Button>
  ),
})
