import { Anchor, Button } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { ConfirmDialog } from '../parts/dialogs/dialogs.tsx'
import { Icon } from '../parts/icons.tsx'
import { DataTable } from '../parts/lists/data-table.tsx'
import { Empty, Loaded } from '../parts/loaded.tsx'
import { notifySuccess } from '../parts/notify.ts'
import { Card } from '../parts/page.tsx'
import { definedAttributesQuery } from '../products/queries.ts'
import { countQuery } from '../queries.ts'
import type { AttributeDefinition } from '../wire.ts'
import styles from './attributes.module.css'
import { deleteDefinition } from './changes.ts'
import { type DefinitionAction, definitionColumns } from './definition-columns.tsx'
import { DefinitionDialog } from './definition-dialog.tsx'
import { emptyDefinition } from './definition-form.ts'
import { InvalidProductsDialog } from './invalid-products.tsx'
import { seenAttributesQuery } from './queries.ts'
import { RenameDialog } from './rename-dialog.tsx'
import { SaleDefinitions } from './sale-definitions.tsx'
import { strings } from './strings.ts'
import { SuggestionsCard } from './suggestions-card.tsx'

type Props = { project: number; isManager: boolean }
type OpenDialog =
  | DefinitionAction
  | { kind: 'create'; definition: AttributeDefinition }
  | { kind: 'rename'; definition: AttributeDefinition; to: string }

/** Attribute definitions and suggestions. */
export function AttributesTab({ project, isManager }: Props) {
  const definitions = useQuery(definedAttributesQuery(project))
  const seen = useQuery(seenAttributesQuery(project))
  const [action, begin] = useState<OpenDialog>()
  const create = (definition: AttributeDefinition) => begin({ kind: 'create', definition })
  const names = new Set(definitions.data?.results.map(({ name }) => name))
  return (
    <div className={styles.panel}>
      <Card
        title={strings.list.title}
        lead={<Lead project={project} definitions={definitions.data?.results ?? []} />}
        flush
        actions={
          isManager && (
            <Button leftSection={<Icon name="plus" size={16} />} onClick={() => create(emptyDefinition)}>
              {strings.list.define}
            </Button>
          )
        }
      >
        <Loaded query={definitions}>
          {({ results }) =>
            results.length === 0 ? (
              <Empty title={strings.list.noneTitle}>{strings.list.noneText}</Empty>
            ) : (
              <DataTable
                label={strings.list.title}
                columns={definitionColumns({ project, isManager, seen: seen.data, begin })}
                rows={results}
                rowId={({ name }) => name}
              />
            )
          }
        </Loaded>
        {isManager && definitions.data !== undefined && <SaleDefinitions project={project} defined={names} />}
      </Card>
      <SuggestionsCard
        project={project}
        query={seen}
        defined={names}
        define={isManager ? ({ definition }) => create(definition) : undefined}
        rename={isManager ? ({ definition }, to) => begin({ kind: 'rename', definition, to }) : undefined}
      />
      {action !== undefined && (
        <ActionDialog project={project} action={action} close={() => begin(undefined)} />
      )}
    </div>
  )
}

function ActionDialog({
  project,
  action,
  close,
}: {
  project: number
  action: OpenDialog
  close: () => void
}) {
  const { kind, definition } = action
  const queries = useQueryClient()
  const done = (message: string) => {
    // Definitions affect scores, so refetch everything that shows products.
    void queries.invalidateQueries({ queryKey: ['project', project] })
    notifySuccess(message)
    close()
  }
  if (kind === 'invalid') return <InvalidProductsDialog {...{ project, definition, close }} />
  if (kind === 'rename')
    return <RenameDialog {...{ project, definition, close }} to={'to' in action ? action.to : undefined} />
  if (kind === 'delete')
    return (
      <ConfirmDialog
        title={strings.delete.title(definition.name)}
        action={strings.delete.action}
        danger
        close={close}
        run={async () => {
          await deleteDefinition(project, definition.name)
          done(strings.delete.deleted(definition.name))
        }}
      >
        {strings.delete.text}
      </ConfirmDialog>
    )
  return (
    <DefinitionDialog
      project={project}
      definition={definition}
      isNew={kind === 'create'}
      done={({ name }) => done(kind === 'create' ? strings.form.defined(name) : strings.form.saved(name))}
      close={close}
    />
  )
}

function Lead({ project, definitions }: { project: number; definitions: AttributeDefinition[] }) {
  const isChecked = definitions.some(({ mode }) => mode !== 'off')
  const filter = { quality_rule: 'attribute_definitions' }
  const { data } = useQuery({ ...countQuery(project, filter), enabled: isChecked })
  if (!isChecked || data === undefined) return strings.list.lead
  return (
    <Anchor
      component={Link}
      to="/projects/$projectId/products"
      params={{ projectId: project } as never}
      search={filter as never}
    >
      {strings.list.invalid(data)}
    </Anchor>
  )
}
