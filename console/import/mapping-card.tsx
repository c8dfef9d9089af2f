import { Alert, Button, NativeSelect } from '@mantine/core'
import { attributePrefix } from '../../src/model/files/csv-columns.ts'
import { Icon } from '../parts/icons.tsx'
import table from '../parts/lists/data-table.module.css'
import { Card } from '../parts/page.tsx'
import { counted } from '../parts/words/number-text.ts'
import { AttributeNameInput } from '../products/filters/attribute-name-input.tsx'
import type { Chosen } from './file/use-file.ts'
import styles from './import.module.css'
import { type Mapping, mappingFaults } from './mapping.ts'
import { attributeOf, attributesColumn, targetGroups, targetLabel } from './targets.ts'

type Props = { project: number; chosen: Chosen; map: (mapping: Mapping) => void }

/** What each column of the file becomes. */
export function MappingCard({ project, chosen: { opened, mapping, isRemembered }, map }: Props) {
  const { header, first } = opened
  const faults = mappingFaults(mapping, header)
  const missing = faults.get(-1)
  // The errors of a file of rejected lines say nothing of the products.
  const isLeft = (index: number) => mapping[index] === '' && !['', 'errors'].includes(header[index] ?? '')
  const ignored = [...mapping.keys()].filter(isLeft).length
  const takeRest = () =>
    map(mapping.map((target, index) => (isLeft(index) ? attributePrefix + header[index] : target)))
  return (
    <Card
      title="Columns"
      lead={
        isRemembered
          ? 'As you chose for the last file with these columns.'
          : 'Guessed from their names. Change what is wrong.'
      }
      actions={
        ignored > 0 && (
          <Button variant="default" size="xs" onClick={takeRest}>
            Take {counted(ignored, 'ignored column')} as {ignored === 1 ? 'an attribute' : 'attributes'}
          </Button>
        )
      }
      flush
    >
      {missing !== undefined && (
        <div className={styles.frame}>
          <Alert color="yellow" role="status" icon={<Icon name="alert" />}>
            {missing}
          </Alert>
        </div>
      )}
      {/* biome-ignore-start lint/a11y/noRedundantRoles: display: block takes the roles away on a narrow screen */}
      <table role="table" aria-label="Columns of the file" className={table.table}>
        <thead role="rowgroup">
          <tr role="row">
            {['Column', 'First values', 'Becomes'].map((name) => (
              <th key={name} role="columnheader" scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {header.map((name, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a column is its place; two may have one name
            <tr key={index} role="row">
              <td role="cell" data-label="Column" className={styles.column}>
                <bdi>{name || `Column ${index + 1}`}</bdi>
              </td>
              <td role="cell" data-label="First values" className={styles.sample}>
                <bdi>{sampleText(first.map(({ cells }) => cells[index] ?? ''))}</bdi>
              </td>
              <td role="cell" data-label="Becomes" className={styles.target}>
                <Target
                  project={project}
                  name={name || `Column ${index + 1}`}
                  target={mapping[index] ?? ''}
                  fault={faults.get(index)}
                  change={(target) => map(mapping.toSpliced(index, 1, target))}
                />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {/* biome-ignore-end lint/a11y/noRedundantRoles: as above */}
    </Card>
  )
}

function sampleText(cells: string[]): string {
  const filled = cells.map((cell) => cell.trim()).filter((cell) => cell !== '')
  return filled.slice(0, 3).join(' · ') || '–'
}

const choices = [
  { value: '', label: 'Ignore' },
  { value: attributePrefix, label: 'Attribute…' },
  ...Object.entries(targetGroups).map(([group, targets]) => ({
    group,
    items: targets.map((value) => ({ value, label: targetLabel(value) })),
  })),
  { value: attributesColumn, label: targetLabel(attributesColumn) },
]

type TargetProps = {
  project: number
  name: string
  target: string
  fault: string | undefined
  change: (target: string) => void
}

function Target({ project, name, target, fault, change }: TargetProps) {
  const attribute = attributeOf(target)
  return (
    <div className={styles.targetFields}>
      <NativeSelect
        aria-label={`What “${name}” becomes`}
        data={choices}
        value={attribute === undefined ? target : attributePrefix}
        error={attribute === undefined && fault}
        onChange={({ currentTarget: { value } }) => change(value === attributePrefix ? value + name : value)}
      />
      {attribute !== undefined && (
        <AttributeNameInput
          project={project}
          label={`Attribute of “${name}”`}
          value={attribute}
          error={fault}
          onChange={(typed) => change(attributePrefix + typed)}
        />
      )}
    </div>
  )
}
