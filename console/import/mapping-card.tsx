import { Alert, Button, NativeSelect } from '@mantine/core'
import { attributePrefix } from '../../src/model/files/csv-columns.ts'
import { Icon } from '../parts/icons.tsx'
import table from '../parts/lists/data-table.module.css'
import { Card } from '../parts/page.tsx'
import { AttributeNameInput } from '../products/filters/attribute-name-input.tsx'
import type { Chosen } from './file/use-file.ts'
import styles from './import.module.css'
import { type Mapping, mappingErrors } from './mapping.ts'
import { strings } from './strings.ts'
import { attributeNameOf, attributesColumn, targetGroups, targetLabel } from './targets.ts'

type Props = { project: number; chosen: Chosen; map: (mapping: Mapping) => void }

export function MappingCard({ project, chosen: { opened, mapping, isRemembered }, map }: Props) {
  const { header, first } = opened
  const errors = mappingErrors(mapping, header)
  const missing = errors.get(-1)
  // A file of rejected lines has an `errors` column, which is no product field.
  const isLeft = (index: number) => mapping[index] === '' && !['', 'errors'].includes(header[index] ?? '')
  const ignored = [...mapping.keys()].filter(isLeft).length
  const takeRest = () =>
    map(mapping.map((target, index) => (isLeft(index) ? attributePrefix + header[index] : target)))
  return (
    <Card
      title={strings.mapping.title}
      lead={isRemembered ? strings.mapping.remembered : strings.mapping.guessed}
      actions={
        ignored > 0 && (
          <Button variant="default" size="xs" onClick={takeRest}>
            {strings.mapping.takeRest(ignored)}
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
      <table role="table" aria-label={strings.mapping.table} className={table.table}>
        <thead role="rowgroup">
          <tr role="row">
            {[strings.mapping.column, strings.mapping.firstValues, strings.mapping.field].map((name) => (
              <th key={name} role="columnheader" scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {header.map((name, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a column is identified by its position; names can repeat
            <tr key={index} role="row">
              <td role="cell" data-label={strings.mapping.column} className={styles.column}>
                <bdi>{name || strings.mapping.unnamed(index + 1)}</bdi>
              </td>
              <td role="cell" data-label={strings.mapping.firstValues} className={styles.sample}>
                <bdi>{sampleText(first.map(({ cells }) => cells[index] ?? ''))}</bdi>
              </td>
              <td role="cell" data-label={strings.mapping.field} className={styles.target}>
                <Target
                  project={project}
                  name={name || strings.mapping.unnamed(index + 1)}
                  target={mapping[index] ?? ''}
                  error={errors.get(index)}
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
  { value: '', label: strings.mapping.ignore },
  { value: attributePrefix, label: strings.mapping.attribute },
  ...Object.entries(targetGroups).map(([group, targets]) => ({
    group: strings.mapping.groups[group as keyof typeof targetGroups],
    items: targets.map((value) => ({ value, label: targetLabel(value) })),
  })),
  { value: attributesColumn, label: targetLabel(attributesColumn) },
]

type TargetProps = {
  project: number
  name: string
  target: string
  error: string | undefined
  change: (target: string) => void
}

function Target({ project, name, target, error, change }: TargetProps) {
  const attribute = attributeNameOf(target)
  return (
    <div className={styles.targetFields}>
      <NativeSelect
        aria-label={strings.mapping.fieldOf(name)}
        data={choices}
        value={attribute === undefined ? target : attributePrefix}
        error={attribute === undefined && error}
        onChange={({ currentTarget: { value } }) => change(value === attributePrefix ? value + name : value)}
      />
      {attribute !== undefined && (
        <AttributeNameInput
          project={project}
          label={strings.mapping.attributeOf(name)}
          value={attribute}
          error={error}
          onChange={(typed) => change(attributePrefix + typed)}
        />
      )}
    </div>
  )
}
