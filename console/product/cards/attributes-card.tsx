import { useQuery } from '@tanstack/react-query'
import { memo, useCallback, useMemo } from 'react'
import { Card } from '../../parts/page.tsx'
import type { AttributeDefinition, Provenance } from '../../wire.ts'
import type { AttributeDraft } from '../draft/attribute-draft.ts'
import type { Draft } from '../draft/draft.ts'
import { errorAt, type FieldErrors } from '../draft/field-errors.ts'
import type { Change } from '../draft/use-draft.ts'
import { focusField } from '../focus-field.ts'
import { definitionsQuery } from '../queries.ts'
import { strings } from '../strings.ts'
import { AddAttribute } from './add-attribute.tsx'
import { AttributeGroups } from './attribute-groups.tsx'
import { AttributeRow } from './attribute-row.tsx'

type Props = {
  project: number
  attributes: Draft['attributes']
  fieldErrors: FieldErrors
  provenance: Provenance
  change: Change
  /** Default: all attributes of the product. */
  shown?: readonly string[] | undefined
}

const none: AttributeDefinition[] = []

export const AttributesCard = memo(function AttributesCard({
  project,
  attributes,
  fieldErrors,
  provenance,
  change,
  shown,
}: Props) {
  const definitions = useQuery(definitionsQuery(project)).data?.results ?? none
  const defined = useMemo(() => new Map(definitions.map((one) => [one.name, one])), [definitions])
  const set = useCallback(
    (name: string, value: AttributeDraft | undefined) =>
      change(`attributes.${name}`, ({ attributes: { [name]: _old, ...others } }) => ({
        attributes: value === undefined ? others : { ...others, [name]: value },
      })),
    [change],
  )
  const replace = useCallback(
    (name: string, value: AttributeDraft) =>
      change(`attributes.${name}`, (draft) => ({ attributes: { ...draft.attributes, [name]: value } })),
    [change],
  )
  const remove = useCallback(
    (name: string) => {
      set(name, undefined)
      // The pressed button is removed, and the focus would be lost with it.
      focusField('attributes')
    },
    [set],
  )
  const names = Object.keys(attributes)
  const listed = Object.entries(attributes).filter(([name]) => shown?.includes(name) ?? true)
  return (
    <Card title={strings.attributes.title} lead={strings.attributes.renameHint}>
      {listed.length > 0 && (
        <AttributeGroups attributes={listed} defined={defined}>
          {(name, value) => (
            <AttributeRow
              key={name}
              name={name}
              value={value}
              definition={defined.get(name)}
              fieldError={errorAt(fieldErrors, `attributes.${name}`)}
              written={provenance[`attributes.${name}`] === undefined ? undefined : provenance}
              change={replace}
              remove={remove}
            />
          )}
        </AttributeGroups>
      )}
      <AddAttribute
        used={names}
        definitions={definitions}
        fieldError={fieldErrors['/attributes']}
        add={(name, value) => set(name, value)}
      />
    </Card>
  )
})
