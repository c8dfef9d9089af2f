import { useQuery } from '@tanstack/react-query'
import { Icon } from '../parts/icons.tsx'
import { Loaded } from '../parts/loaded.tsx'
import { Card } from '../parts/page.tsx'
import { referenceQuery, sampleQuery } from '../queries.ts'
import type { OpenApiDocument } from '../reference/document/document.ts'
import { exampleOf } from '../reference/document/examples.ts'
import { type Operation, operationsOf } from '../reference/document/operations.ts'
import { DocumentContext } from '../reference/reference-context.ts'
import type { Page } from '../wire.ts'
import { OperationList, OperationPanel } from './operation-view.tsx'
import styles from './reference-preview.module.css'

type Props = { project: number; baseUrl: string }

/** The real reference with answers from the project's own data, to be seen but not used. */
export function ReferencePreview(props: Props) {
  const query = useQuery(referenceQuery)
  return (
    <Card
      title="What you get"
      lead="A preview of the API reference. Its answers show your own products where there are any."
      flush
    >
      <Loaded query={query} rows={8}>
        {(document) => <LockedReference {...props} document={document} />}
      </Loaded>
    </Card>
  )
}

function LockedReference({ document, ...props }: Props & { document: OpenApiDocument }) {
  // The service's own routes are open to all.
  const operations = operationsOf(document).filter(({ needsToken }) => needsToken)
  return (
    <div className={styles.frame}>
      <p className="unseen">
        Locked preview: {operations.length} calls for products, categories, stock, history and prompts, each
        with its parameters and a sample answer.
      </p>
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
            <strong>Locked on your plan</strong>
            All of this opens when the operator approves your request.
          </p>
        </div>
      </div>
    </div>
  )
}

type SamplesProps = Props & { operations: Operation[]; document: OpenApiDocument }

/** Two calls in full: the list, and its first product. */
function Samples({ project, baseUrl, operations, document }: SamplesProps) {
  const list = useQuery(sampleQuery(project, '/products?page_size=2')).data
  const first = (list as Page<{ id: number }> | undefined)?.results[0]?.id
  const detail = useQuery({
    ...sampleQuery(project, `/products/${first}`),
    enabled: first !== undefined,
  }).data
  const samples = [
    { path: '/products', query: '/products?page_size=2', answer: list },
    { path: '/products/{id}', query: `/products/${first ?? 1}`, answer: detail },
  ]
  return (
    <div className={styles.panels}>
      {samples.map(({ path, query, answer }) => {
        const operation = operations.find((each) => each.method === 'get' && each.path === path)
        if (operation === undefined) return null
        const shown = first === undefined || answer === undefined ? sampleAnswer(operation, document) : answer
        return (
          <OperationPanel
            key={path}
            operation={operation}
            address={baseUrl + query}
            answer={asText(shown, baseUrl)}
          />
        )
      })}
    </div>
  )
}

function sampleAnswer({ answers }: Operation, document: OpenApiDocument): unknown {
  const [, answer] = answers.find(([status]) => status === '200') ?? []
  return exampleOf(answer?.content?.['application/json'] ?? {}, document) ?? {}
}

/** The answer as the API would give it: links lead to the API, not to the console. */
function asText(value: unknown, baseUrl: string): string {
  return JSON.stringify(value, null, 2).replaceAll(
    /"https?:\/\/[^/"]+\/console\/api\/projects\/\d+/g,
    `"${baseUrl}`,
  )
}
