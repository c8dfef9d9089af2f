import { Anchor } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ActionDialog } from '../parts/dialogs/dialogs.tsx'
import { numberText } from '../parts/format/number-text.ts'
import { Loaded } from '../parts/loaded.tsx'
import { ProductLink } from '../product/product-link.tsx'
import type { AttributeDefinition, AttributePreview } from '../wire.ts'
import styles from './attributes.module.css'
import { invalidProductsQuery } from './queries.ts'
import { strings } from './strings.ts'

type Props = { project: number; definition: AttributeDefinition; close: () => void }

/** The products that violate a definition, with the reason. */
export function InvalidProductsDialog({ project, definition, close }: Props) {
  const query = useQuery(invalidProductsQuery(project, definition))
  return (
    <ActionDialog
      title={strings.invalid.title(definition.label ?? definition.name)}
      size="lg"
      isPending={false}
      close={close}
    >
      <Loaded query={query}>
        {(preview) => <InvalidProducts project={project} attribute={definition.name} preview={preview} />}
      </Loaded>
    </ActionDialog>
  )
}

type ListProps = { project: number; attribute: string; preview: AttributePreview }

export function InvalidProducts({ project, attribute, preview }: ListProps) {
  const { products, looked_at, with_value, offending, offenders } = preview
  const of = looked_at < products ? strings.invalid.checked(looked_at) : strings.invalid.products(products)
  return (
    <div>
      <p>
        <strong>{numberText(offending)}</strong> {strings.invalid.text(of, offending, with_value)}{' '}
        {offenders.length > 0 && (
          <Anchor
            component={Link}
            to="/projects/$projectId/products"
            params={{ projectId: project } as never}
            search={{ id__in: offenders.map(({ id }) => id).join() } as never}
          >
            {offenders.length < offending
              ? strings.invalid.showFirst(offenders.length)
              : strings.invalid.showAll}
          </Anchor>
        )}
      </p>
      {offenders.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also by the keyboard
        <ul className={styles.offenders} tabIndex={0} aria-label={strings.invalid.list}>
          {offenders.map(({ id, sku, name, message }) => (
            <li key={id}>
              <ProductLink project={project} id={id}>
                <bdi>{name}</bdi>
              </ProductLink>{' '}
              <small>
                <bdi>{sku}</bdi>
              </small>
              <span className={styles.small}>
                : <bdi>{attribute}</bdi> {message}
              </span>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
