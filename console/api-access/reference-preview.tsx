import { useQuery } from '@tanstack/react-query'
import { Icon } from '../parts/icons.tsx'
import { Loaded } from '../parts/loaded.tsx'
import { Card } from '../parts/page.tsx'
import { referenceQuery, sampleQuery } from '../queries.ts'
import type { OpenApiDocument } from '../reference/document/document.ts'
import { exampleOf } from '../reference/document/examples.ts'
import { type Operation, readOperations } from '../reference/document/operations.ts'
import { DocumentContext } from '../reference/reference-context.ts'
import type { Page } from '../wire.ts'
import { OperationList, OperationPanel } from './operation-view.tsx'
import styles from './reference-preview.module.css'
import { strings } from './strings.ts'

type Props = { project: number; baseUrl: string }

/** The API reference as a locked preview, with sample responses from the project's own data. */
export function ReferencePreview(props: Props) {
  const query = useQuery(referenceQuery)
  return (
    <Card title={strings.preview.title} lead={strings.preview.lead} flush>
      <Loaded query={query} rows={8}>
        {(document) => <LockedReference {...props} document={document} />}
      </Loaded>
    </Card>
  )
}

function LockedReference({ document, ...props }: Props & { document: OpenApiDocument }) {
  // Operations without a token are available on every plan.
  const operations = readOperations(document).filter(({ needsToken }) => needsToken)
  return (
    <div className={styles.frame}>
      <p className="unseen">{strings.preview.summary(operations.length)}</p>
      <div className={styles.locked} aria-hidden="true" inert>
        <OperationList operations={operations} />
        <DocumentContext value={document}>
          <Samples operations={operations} document={document} {...props} />
        </DocumentContext>
      </div>
      <div className={styles.lock}>
        <div className={styles.lockCard}>
          <span className={styles.lockIcon}>
            <Icon name="lock" size={22} />
          </span>
          <p>
            <strong>{strings.preview.locked}</strong>
            {strings.preview.unlock}
          </p>
        </div>
      </div>
    </div>
  )
}

type SamplesProps = Props & { operations: Operation[]; document: OpenApiDocument }

/** Two operations: the product list, and its first product. */
function Samples({ project, baseUrl, operations, document }: SamplesProps) {
  const list = useQuery(sampleQuery(project, '/products?page_size=2')).data
  const first = (list as Page<{ id: number }> | undefined)?.results[0]?.id
  const detail = useQuery({
    ...sampleQuery(project, `/products/${first}`),
    enabled: first !== undefined,
  }).data
  const samples = [
    { path: '/products', query: '/products?page_size=2', response: list },
    { path: '/products/{id}', query: `/products/${first ?? 1}`, response: detail },
  ]
  return (
    <div className={styles.panels}>
      {samples.map(({ path, query, response }) => {
        const operation = operations.find((each) => each.method === 'get' && each.path === path)
        if (operation === undefined) return null
        const shown =
          first === undefined || response === undefined ? sampleResponse(operation, document) : response
        return (
          <OperationPanel
            key={path}
            operation={operation}
            url={baseUrl + query}
            response={asText(shown, baseUrl)}
          />
        )
      })}
    </div>
  )
}

function sampleResponse({ responses }: Operation, document: OpenApiDocument): unknown {
  const [, response] = responses.find(([status]) => status === '200') ?? []
  return exampleOf(response?.content?.['application/json'] ?? {}, document) ?? {}
}

/** Replaces console links with the API links of a real response. */
function asText(value: unknown, baseUrl: string): string {
  return JSON.stringify(value, null, 2).replaceAll(
    /"https?:\/\/[^/"]+\/console\/api\/projects\/\d+/g,
    `"${baseUrl}`,
  )
}
