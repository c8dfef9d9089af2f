import { TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ownValue } from '../../parts/forms/own-value.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { Card } from '../../parts/page.tsx'
import type { RenderRequest } from '../../wire.ts'
import styles from '../prompts.module.css'
import { renderQuery, versionQuery } from '../queries.ts'
import { strings } from '../strings.ts'
import { VersionSelect } from '../version-select.tsx'
import type { ViewProps } from '../view-props.ts'
import { ProductChoice } from './product-choice.tsx'
import { missingOf, RenderedText } from './rendered-text.tsx'
import tryStyles from './try-view.module.css'

const pauseMilliseconds = 300

/** A version, rendered with a product and with the values entered here. */
export function TryView(props: ViewProps) {
  const { project, prompt, search, version, see } = props
  const query = useQuery(versionQuery(project, prompt.id, version))
  const [values, setValues] = useState<Record<string, string>>({})
  const body = useRenderRequest(version, search.product, values)
  const { data: { variables = [] } = {} } = query
  const unfilled = variables.filter((name) => !Object.hasOwn(body.variables ?? {}, name))
  // Without a product, the missing values are known without a request.
  const isAsked = query.data !== undefined && (search.product !== undefined || unfilled.length === 0)
  const rendered = useQuery({ ...renderQuery(project, prompt.id, body), enabled: isAsked })
  const missing = isAsked ? missingOf(rendered.error) : query.data && unfilled
  const go = (next: { version?: string; product?: number | undefined }) => {
    const { product = undefined, version: number = version } = { ...search, ...next }
    see({ view: 'try', version: number, ...(product !== undefined && { product }) })
  }
  return (
    <div className={tryStyles.columns}>
      <Card title={strings.try.title} lead={strings.try.lead}>
        <div className={styles.fields}>
          <VersionSelect
            {...{ project, prompt }}
            label={strings.try.version}
            value={version}
            choose={(next) => go({ version: next })}
          />
          <ProductChoice project={project} value={search.product} choose={(product) => go({ product })} />
          <Loaded query={query}>
            {({ variables }) =>
              variables.map((name) => (
                <TextInput
                  key={name}
                  label={<code>{name}</code>}
                  placeholder={search.product === undefined ? '' : strings.try.fromProduct}
                  error={missing?.includes(name) && search.product !== undefined && strings.try.noValue}
                  value={ownValue(values, name) ?? ''}
                  onChange={({ currentTarget: { value } }) =>
                    setValues((before) => ({ ...before, [name]: value }))
                  }
                />
              ))
            }
          </Loaded>
        </div>
      </Card>
      <RenderedText
        project={project}
        prompt={prompt.id}
        body={body}
        query={rendered}
        missing={missing}
        isAsked={isAsked}
      />
    </div>
  )
}

/** Sent when typing pauses. The product fills empty fields. */
function useRenderRequest(
  version: string,
  product: number | undefined,
  values: Record<string, string>,
): RenderRequest {
  const [settled] = useDebouncedValue(values, pauseMilliseconds)
  const variables = Object.fromEntries(Object.entries(settled).filter(([, value]) => value !== ''))
  return { version_number: version, ...(product !== undefined && { product_id: product }), variables }
}
