import { Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { fieldLabel } from '../../src/model/fields/field-paths.ts'
import { Tag } from '../parts/badges.tsx'
import { numberText } from '../parts/format/number-text.ts'
import { ownValue } from '../parts/forms/own-value.ts'
import cells from '../parts/lists/cells.module.css'
import type { Column } from '../parts/lists/data-table.tsx'
import { ProductLink } from '../product/product-link.tsx'
import type { NamedProducts } from '../product/queries.ts'
import { costText } from './cost-text.ts'
import styles from './prompt-runs.module.css'
import type { ListedCall } from './queries.ts'
import { strings } from './strings.ts'

const tones = {
  waiting: 'gray',
  calling: 'yellow',
  done: 'accent',
  failed: 'red',
  declined: 'yellow',
  skipped: 'gray',
} as const satisfies Record<ListedCall['state'], string>

export const callColumns = (
  project: number,
  currency: string,
  named: NamedProducts,
): Column<ListedCall>[] => [
  {
    header: strings.calls.columns.product,
    id: 'product',
    cell: ({ row: { original } }) => {
      const product = named?.get(original.id)
      return (
        <>
          <div className={cells.name}>
            <ProductLink project={project} id={original.id}>
              <bdi>{product?.name ?? strings.calls.product(original.id)}</bdi>
            </ProductLink>
          </div>
          {product !== undefined && <div className={cells.small}>{product.sku}</div>}
        </>
      )
    },
  },
  {
    header: strings.calls.columns.state,
    id: 'state',
    cell: ({ row: { original } }) => (
      <>
        <Tag tone={tones[original.state]}>{strings.calls.states[original.state]}</Tag>
        {original.reused && <div className={cells.small}>{strings.calls.reused}</div>}
        {original.attempts > 1 && (
          <div className={cells.small}>{strings.calls.attempts(original.attempts)}</div>
        )}
      </>
    ),
  },
  {
    header: strings.calls.columns.result,
    id: 'result',
    cell: ({ row }) => <Result project={project} call={row.original} />,
  },
  {
    header: strings.calls.columns.tokens,
    id: 'tokens',
    isNumber: true,
    isSecondary: true,
    cell: ({ row: { original } }) => numberText(original.tokens.input + original.tokens.output),
  },
  {
    header: strings.calls.columns.cost,
    id: 'cost',
    isNumber: true,
    cell: ({ row }) => costText(row.original.cost, currency),
  },
]

/** What the model wrote, with its flags, or why it wrote nothing. */
function Result({
  project,
  call: { values, error, flags, proposal },
}: {
  project: number
  call: ListedCall
}) {
  const written = Object.entries(values ?? {}).filter(([, value]) => value !== null)
  return (
    <div className={styles.result}>
      {error !== null && <p className={styles.error}>{errorText(error)}</p>}
      {error === null && written.length === 0 && <p className={styles.dim}>{strings.calls.noResult}</p>}
      {written.map(([field, value]) => (
        <p key={field} className={styles.value}>
          <span className={styles.dim}>{fieldLabel(field)}:</span>{' '}
          <bdi>{Array.isArray(value) ? value.join(', ') : String(value)}</bdi>
        </p>
      ))}
      {flags.length > 0 && (
        <div className={styles.flags}>
          {flags.map((flag) => (
            <Tag key={flag} tone="yellow">
              {strings.calls.flags[flag]}
            </Tag>
          ))}
        </div>
      )}
      {proposal !== null && (
        <Anchor component={Link} to={`/projects/${project}/proposals/${proposal}`} size="sm">
          {strings.facts.proposal(proposal)}
        </Anchor>
      )}
    </div>
  )
}

/** A code, or a code with details. */
function errorText(error: string): string {
  const [, code = '', details = ''] = /^(\w+)(?:: (.*))?$/s.exec(error) ?? []
  const text = ownValue(strings.calls.errors, code)
  return text === undefined ? error : details === '' ? text : `${text}: ${details}`
}
