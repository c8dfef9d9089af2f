import { NativeSelect, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQueryClient } from '@tanstack/react-query'
import { changeProject } from '../changes.ts'
import { sayDone } from '../parts/done.ts'
import { FieldRow, Form, useSubmission } from '../parts/form.tsx'
import { Card } from '../parts/page.tsx'
import type { OperatorProject } from '../wire.ts'
import { accessWords, limitKinds, plans } from './plans.ts'

type Values = {
  plan: string
  api_access: string
  self_service_tokens: string
  limit_kind: string
  rate_limit: string
}

export function ProjectSettings({ project }: { project: OperatorProject }) {
  const queries = useQueryClient()
  const form = useForm<Values>({ initialValues: valuesOf(project), validate: { rate_limit: checkLimit } })
  const submission = useSubmission(
    form,
    ({ plan, api_access, self_service_tokens, limit_kind, rate_limit }) =>
      changeProject(project.id, {
        plan,
        api_access,
        self_service_tokens,
        rate_limit: limit_kind === 'own' ? Number(rate_limit) : limit_kind,
      }),
    () => {
      sayDone('Saved. It holds from now on, in every process.')
      return queries.invalidateQueries()
    },
  )
  return (
    <Card title="Plan and limits" lead="Changes hold at once.">
      <Form submission={submission} action="Save changes" wide>
        <FieldRow>
          <NativeSelect label="Plan" data={plans} {...form.getInputProps('plan')} />
          <NativeSelect label="API access" data={accessWords} {...form.getInputProps('api_access')} />
          <NativeSelect
            label="Managers make tokens"
            data={accessWords}
            {...form.getInputProps('self_service_tokens')}
          />
          <NativeSelect label="Rate limit" data={limitKinds} {...form.getInputProps('limit_kind')} />
          {form.values.limit_kind === 'own' && (
            <TextInput label="Requests a second" inputMode="numeric" {...form.getInputProps('rate_limit')} />
          )}
        </FieldRow>
      </Form>
    </Card>
  )
}

function valuesOf(project: OperatorProject): Values {
  const { plan, api_access, self_service_tokens, rate_limit, rate_limit_override: override } = project
  const limit_kind = override === 'plan' || override === 'none' ? override : 'own'
  const own = String(rate_limit?.requests_per_second ?? '')
  return { plan, api_access, self_service_tokens, limit_kind, rate_limit: own }
}

function checkLimit(limit: string, { limit_kind }: Values): string | null {
  if (limit_kind !== 'own' || /^[1-9]\d{0,5}$/.test(limit)) return null
  return 'Enter a whole number from 1 to 999,999.'
}
