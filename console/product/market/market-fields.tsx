import { Anchor, Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { fieldLabel } from '../../../src/model/fields/field-paths.ts'
import { fieldsOfKind, textsOfSize } from '../../../src/model/fields/product-fields.ts'
import { viewFields } from '../../../src/model/fields/view-paths.ts'
import { Facts } from '../../parts/facts.tsx'
import { numberText } from '../../parts/format/number-text.ts'
import { Card } from '../../parts/page.tsx'
import { usePermissions } from '../../parts/permissions.ts'
import { AddAttribute } from '../cards/add-attribute.tsx'
import { AttributeGroups } from '../cards/attribute-groups.tsx'
import { fieldId, focusField } from '../focus-field.ts'
import { Gallery } from '../media/gallery.tsx'
import styles from '../product.module.css'
import { productTypes } from '../product-types.ts'
import { definitionsQuery } from '../queries.ts'
import { strings as productStrings } from '../strings.ts'
import own from './market.module.css'
import { MarketField, Origin } from './market-field.tsx'
import { attributeNames, type Shown } from './market-values.ts'
import { strings } from './strings.ts'
import type { MarketForm } from './use-market-form.ts'

const generalFields = [
  ...textsOfSize('line'),
  ...fieldsOfKind('price', 'choice'),
  ...textsOfSize('paragraph', 'document'),
].filter((field) => viewFields.includes(field))

/** All fields of a product in a language or market. */
export function MarketFields({ form }: { form: MarketForm }) {
  return (
    <div className={styles.columns}>
      <div className={styles.column}>
        <Card title={strings.general}>
          <div className={own.fields}>
            {generalFields.map((field) => (
              <MarketField key={field} form={form} field={field} />
            ))}
          </div>
        </Card>
        <MarketAttributes form={form} />
        <MarketMedia form={form} />
      </div>
      <div className={styles.column}>
        <ProductProgress form={form} />
        <CommonFields shown={form.shown} />
      </div>
    </div>
  )
}

function MarketAttributes({ form }: { form: MarketForm }) {
  const { shown, edits, edit } = form
  const { canWrite } = usePermissions()
  const { data } = useQuery(definitionsQuery(shown.base.project))
  const definitions = data?.results ?? []
  const defined = useMemo(() => new Map(data?.results.map((one) => [one.name, one])), [data])
  const edited = [...edits.keys()].flatMap((field) =>
    field.startsWith('attributes.') ? [field.slice('attributes.'.length)] : [],
  )
  const names = [...new Set([...attributeNames(shown), ...requiredAttributes(shown), ...edited])]
  return (
    <Card title={strings.attributes}>
      {names.length === 0 && <p className={styles.note}>{strings.noAttributes}</p>}
      <AttributeGroups attributes={names.map((name): [string, string] => [name, name])} defined={defined}>
        {(name) => (
          <li key={name} className={own.attribute}>
            <MarketField form={form} field={`attributes.${name}`} definition={defined.get(name)} />
          </li>
        )}
      </AttributeGroups>
      {canWrite && (
        <div className={own.add}>
          <AddAttribute
            used={names}
            definitions={definitions}
            fieldError={form.errors.get('attributes')}
            add={(name, value) => edit(`attributes.${name}`, value)}
          />
        </div>
      )}
    </Card>
  )
}

function requiredAttributes({ market }: Shown): string[] {
  return market.requires.flatMap((field) =>
    field.startsWith('attributes.') ? [field.slice('attributes.'.length)] : [],
  )
}

/** Media is replaced as a whole, so its own card opens only when it differs. */
function MarketMedia({ form }: { form: MarketForm }) {
  const { shown, edits } = form
  const isOwn = Array.isArray(edits.get('media')) || shown.product.view?.from['media'] === shown.market.code
  if (isOwn) return <MarketField form={form} field="media" />
  return (
    <Card title={strings.media}>
      <div id={fieldId('media')} tabIndex={-1}>
        <Gallery media={shown.product.media} />
      </div>
      <MarketMediaFoot form={form} />
    </Card>
  )
}

function MarketMediaFoot({ form }: { form: MarketForm }) {
  const { canWrite } = usePermissions()
  const { shown, edit, edits } = form
  if (!canWrite) return null
  return (
    <div className={own.foot}>
      <span className={own.origin}>
        <Origin form={form} field="media" isEditing={false} />
      </span>
      <Button
        size="compact-xs"
        variant="default"
        onClick={() => edit('media', edits.get('media') === null ? undefined : shown.product.media)}
      >
        {edits.get('media') === null ? strings.undo : strings.edit}
        <span className="unseen">{strings.of(strings.media)}</span>
      </Button>
    </div>
  )
}

/** Jumps to what is missing and what is outdated. */
function ProductProgress({ form: { shown } }: { form: MarketForm }) {
  const { missing = [], stale = [] } = shown.product.view ?? {}
  return (
    <Card title={strings.progress.title(shown.market.label)}>
      {missing.length + stale.length === 0 && <p className={styles.note}>{strings.progress.complete}</p>}
      <Jumps title={strings.progress.missing} fields={missing} />
      <Jumps title={strings.progress.outdated} fields={stale} />
    </Card>
  )
}

function Jumps({ title, fields }: { title: string; fields: readonly string[] }) {
  if (fields.length === 0) return null
  return (
    <div className={own.jumps}>
      <h3 className={styles.group}>{title}</h3>
      <ul className={styles.plain}>
        {fields.map((field) => (
          <li key={field}>
            <Anchor
              component="button"
              type="button"
              size="sm"
              aria-label={strings.progress.goTo(fieldLabel(field))}
              onClick={() => focusField(field)}
            >
              {fieldLabel(field)}
            </Anchor>
          </li>
        ))}
      </ul>
    </div>
  )
}

/** Fields that cannot differ, read-only. */
function CommonFields({ shown: { base } }: { shown: Shown }) {
  const { sku, product_type, categories, inventory, project, id } = base
  const type = productTypes.find(({ value }) => value === product_type)?.label ?? product_type
  return (
    <Card title={strings.common.title} lead={strings.common.lead}>
      <Facts
        facts={{
          [fieldLabel('sku')]: <code>{sku}</code>,
          [fieldLabel('product_type')]: type,
          [strings.common.categories]:
            categories.length === 0 ? (
              <span className={styles.none}>{strings.common.none}</span>
            ) : (
              <bdi>{categories.map(({ name }) => name).join(', ')}</bdi>
            ),
          ...(inventory !== undefined && {
            [strings.common.stock]: inventory.tracked
              ? numberText(inventory.available ?? 0)
              : productStrings.inventory.inStock,
          }),
        }}
      />
      <p className={own.toBase}>
        <Anchor
          component={Link}
          to="/projects/$projectId/products/$productId"
          params={{ projectId: project, productId: id } as never}
          size="sm"
        >
          {strings.common.edit}
        </Anchor>
      </p>
    </Card>
  )
}
