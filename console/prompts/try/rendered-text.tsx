import { Alert } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import { ProblemError } from '../../network.ts'
import { CodeBlock } from '../../parts/code-block.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Card } from '../../parts/page.tsx'
import type { RenderedPrompt, RenderRequest } from '../../wire.ts'
import styles from '../prompts.module.css'
import { strings } from '../strings.ts'
import { TemplateText } from '../template-text.tsx'

/** The variables without a value. Undefined for other errors. */
export function missingOf(error: Error | null): string[] | undefined {
  if (!(error instanceof ProblemError) || error.fieldErrors.length === 0) return undefined
  if (error.fieldErrors.some(({ code }) => code !== 'missing_variable')) return undefined
  return error.fieldErrors.map(({ pointer = '' }) =>
    pointer.replace('/variables/', '').replaceAll('~1', '/').replaceAll('~0', '~'),
  )
}

type Props = {
  project: number
  prompt: number
  body: RenderRequest
  query: UseQueryResult<RenderedPrompt>
  missing: string[] | undefined
  isAsked: boolean
}

/** The rendered text, or the missing variables, and the API request for it. */
export function RenderedText({ prompt, body, query, missing, isAsked }: Props) {
  const isLacking = missing !== undefined && missing.length > 0
  return (
    <div className={styles.fields}>
      <Card title={strings.try.rendered}>
        {isLacking ? (
          <Missing names={missing} hasProduct={body.product_id !== undefined} />
        ) : (
          <Loaded query={isAsked ? query : waiting(query)} rows={8}>
            {({ rendered_text, variables: { unused } }) => (
              <div className={styles.fields} aria-busy={query.isPlaceholderData}>
                <TemplateText text={rendered_text} variables={[]} />
                {unused.length > 0 && <p className={styles.note}>{strings.try.unused(unused)}</p>}
              </div>
            )}
          </Loaded>
        )}
      </Card>
      <Card title={strings.try.request}>
        <CodeBlock
          label={strings.try.requestLabel}
          code={`POST /v2/prompts/${prompt}/render\n${JSON.stringify(body, null, 2)}`}
        />
      </Card>
    </div>
  )
}

/** Nothing is requested before the version is loaded. */
function waiting(query: UseQueryResult<RenderedPrompt>): UseQueryResult<RenderedPrompt> {
  return { ...query, data: undefined, error: null } as UseQueryResult<RenderedPrompt>
}

function Missing({ names, hasProduct }: { names: string[]; hasProduct: boolean }) {
  return (
    <Alert color="yellow" role="status" title={strings.try.missing(names.length)}>
      <ul className={styles.chips}>
        {names.map((name) => (
          <li key={name}>
            <code>{name}</code>
          </li>
        ))}
      </ul>
      {hasProduct ? strings.try.missingInProduct(names.length) : strings.try.missingHint}
    </Alert>
  )
}
