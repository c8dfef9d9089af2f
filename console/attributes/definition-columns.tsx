import { Anchor, Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Tag } from '../parts/badges.tsx'
import { numberText } from '../parts/format/number-text.ts'
import type { Column } from '../parts/lists/data-table.tsx'
import type { AttributeDefinition, AttributeSuggestions } from '../wire.ts'
import styles from './attributes.module.css'
import { attributeFilter, modeLabels, requiredText, typeText, valuesText } from './labels.ts'
import { strings } from './strings.ts'

export type DefinitionAction = {
  kind: 'edit' | 'delete' | 'rename' | 'invalid'
  definition: AttributeDefinition
}

type Parts = {
  project: number
  isManager: boolean
  /** Usage of attributes in products. */
  seen: AttributeSuggestions | undefined
  begin: (action: DefinitionAction) => void
}

export function definitionColumns({ project, isManager, seen, begin }: Parts): Column<AttributeDefinition>[] {
  return [
    {
      header: strings.list.columns.attribute,
      id: 'attribute',
      cell: ({ row: { original } }) => (
        <>
          <div className={styles.name}>
            <bdi>{original.label ?? original.name}</bdi>
          </div>
          {original.label !== null && <code className={styles.small}>{original.name}</code>}
        </>
      ),
    },
    { header: strings.list.columns.type, id: 'type', cell: ({ row }) => typeText(row.original) },
    {
      header: strings.list.columns.values,
      id: 'values',
      cell: ({ row }) => (
        <div className={styles.values}>{valuesText(row.original) || strings.list.anyValue}</div>
      ),
    },
    {
      header: strings.list.columns.required,
      id: 'required',
      isSecondary: true,
      cell: ({ row }) => requiredText(row.original),
    },
    {
      header: strings.list.columns.mode,
      id: 'mode',
      cell: ({ row }) => {
        const { text, tone } = modeLabels[row.original.mode]
        return (
          <span className={styles.mode}>
            <Tag tone={tone}>{text}</Tag>
          </span>
        )
      },
    },
    {
      header: strings.list.columns.products,
      id: 'products',
      cell: ({ row: { original: definition } }) => (
        <>
          <div>
            <UsedBy project={project} name={definition.name} seen={seen} />
          </div>
          <button type="button" className={styles.fit} onClick={() => begin({ kind: 'invalid', definition })}>
            {strings.list.showInvalid}
            <span className="unseen"> {definition.name}</span>
          </button>
        </>
      ),
    },
    ...(isManager ? [changeColumn(begin)] : []),
  ]
}

const actions: { kind: DefinitionAction['kind']; label: string }[] = [
  { kind: 'edit', label: strings.list.edit },
  { kind: 'rename', label: strings.list.rename },
  { kind: 'delete', label: strings.list.delete },
]

const changeColumn = (begin: Parts['begin']): Column<AttributeDefinition> => ({
  header: strings.list.columns.actions,
  id: 'change',
  cell: ({ row: { original: definition } }) => (
    <div className={styles.buttons}>
      {actions.map(({ kind, label }) => (
        <Button key={kind} size="compact-xs" variant="default" onClick={() => begin({ kind, definition })}>
          {label}
          <span className="unseen"> {definition.name}</span>
        </Button>
      ))}
    </div>
  ),
})

type UsedByProps = { project: number; name: string; seen: AttributeSuggestions | undefined }

/** The number of products that have the attribute, or the percentage if only a sample was checked. */
export function UsedBy({ project, name, seen }: UsedByProps) {
  const count = seen?.results.find((one) => one.name === name)?.products
  // The service lists only the most frequent attributes.
  if (seen === undefined || (count === undefined && seen.results.length >= maxListed)) return '–'
  const { looked_at, products } = seen
  return (
    <Anchor
      component={Link}
      to="/projects/$projectId/products"
      params={{ projectId: project } as never}
      search={attributeFilter(name) as never}
    >
      {looked_at < products ? shareText.format((count ?? 0) / looked_at) : numberText(count ?? 0)}
    </Anchor>
  )
}

const maxListed = 200
const shareText = new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 1 })
