import { Anchor, Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import attributes from '../attributes/attributes.module.css'
import { scopeText } from '../attributes/labels.ts'
import { numberText } from '../parts/format/number-text.ts'
import type { Column } from '../parts/lists/data-table.tsx'
import type { QualityRule } from '../wire.ts'
import { ruleText } from './rule-kinds.ts'
import { strings } from './strings.ts'

type Parts = {
  project: number
  /** Undefined if the user cannot change rules. */
  change: { edit: (rule: QualityRule) => void; remove: (rule: QualityRule) => void } | undefined
  /** Added by the service, not part of the project's rules. */
  isAdded: (rule: QualityRule) => boolean
  /** Only saved rules link to the products that fail them. */
  isSaved: (code: string) => boolean
}

export function ruleColumns({ project, change, isAdded, isSaved }: Parts): Column<QualityRule>[] {
  return [
    {
      header: strings.rules.columns.rule,
      id: 'rule',
      cell: ({ row: { original } }) => (
        <>
          <div className={attributes.name}>{ruleText(original)}</div>
          <div className={attributes.small}>
            {original.message}
            {isAdded(original) && ` ${strings.rules.added}`}
          </div>
        </>
      ),
    },
    { header: strings.rules.columns.for, id: 'for', cell: ({ row }) => scopeText(row.original) },
    {
      header: strings.rules.columns.points,
      id: 'points',
      isNumber: true,
      cell: ({ row }) => numberText(row.original.points),
    },
    {
      header: strings.rules.columns.code,
      id: 'code',
      cell: ({ row: { original } }) =>
        isSaved(original.code) ? (
          <Anchor
            component={Link}
            to="/projects/$projectId/products"
            params={{ projectId: project } as never}
            search={{ quality_rule: original.code } as never}
            title={strings.rules.failing}
          >
            <code>{original.code}</code>
          </Anchor>
        ) : (
          <code>{original.code}</code>
        ),
    },
    ...(change === undefined ? [] : [changeColumn(change, isAdded)]),
  ]
}

const changeColumn = (
  { edit, remove }: NonNullable<Parts['change']>,
  isAdded: Parts['isAdded'],
): Column<QualityRule> => ({
  header: strings.rules.columns.actions,
  id: 'change',
  cell: ({ row: { original } }) => (
    <div className={attributes.buttons}>
      <Button size="compact-xs" variant="default" onClick={() => edit(original)}>
        {strings.rules.edit}
        <span className="unseen"> {original.code}</span>
      </Button>
      {!isAdded(original) && (
        <Button size="compact-xs" variant="default" onClick={() => remove(original)}>
          {strings.rules.remove}
          <span className="unseen"> {original.code}</span>
        </Button>
      )}
    </div>
  ),
})
