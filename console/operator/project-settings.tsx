import { NativeSelect, TextInput } from '@mantine/core'
import { type UseFormReturnType, useForm } from '@mantine/form'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { changeProject } from '../changes.ts'
import { ConfirmDialog } from '../parts/dialogs/dialogs.tsx'
import { isolate } from '../parts/format/isolate.ts'
import { FieldRow, Form, useSubmission } from '../parts/forms/form.tsx'
import { notifySuccess } from '../parts/notify.ts'
import { Card } from '../parts/page.tsx'
import type { OperatorProject } from '../wire.ts'
import { ApiAccessImpact } from './api-access-impact.tsx'
import { accessChoices, limitKinds, plans } from './plans.ts'
import { strings } from './project-strings.ts'

type Values = {
  plan: string
  api_access: string
  self_service_tokens: string
  limit_kind: string
  rate_limit: string
}

export function ProjectSettings({ project }: { project: OperatorProject }) {
  const queries = useQueryClient()
  const [isAsked, setAsked] = useState(false)
  const form = useForm<Values>({ initialValues: valuesOf(project), validate: { rate_limit: checkLimit } })
  const send = ({ limit_kind, rate_limit, ...rest }: Values) =>
    changeProject(project.id, {
      ...rest,
      rate_limit: limit_kind === 'own' ? Number(rate_limit) : limit_kind,
    })
  const done = () => {
    notifySuccess(strings.settings.saved)
    return queries.invalidateQueries()
  }
  const submission = useSubmission(form, send, done)
  const turnsOff = project.has_api_access && !hasAccess(form.values)
  const submit: typeof submission.submit = (event) => {
    if (!turnsOff || form.validate().hasErrors) return submission.submit(event)
    event?.preventDefault()
    setAsked(true)
  }
  return (
    <Card title={strings.settings.title} lead={strings.settings.lead}>
      <Form
        submission={{ ...submission, submit }}
        action={strings.settings.submit}
        isUnchanged={!form.isDirty()}
        wide
      >
        <Fields form={form} />
      </Form>
      {isAsked && (
        <ConfirmDialog
          title={strings.turnOff.title(isolate(project.name))}
          action={strings.turnOff.action}
          danger
          close={() => setAsked(false)}
          run={async () => {
            await send(form.getValues())
            setAsked(false)
            await done()
          }}
        >
          <ApiAccessImpact project={project} />
        </ConfirmDialog>
      )}
    </Card>
  )
}

function Fields({ form }: { form: UseFormReturnType<Values> }) {
  return (
    <FieldRow>
      <NativeSelect label={strings.settings.plan} data={plans} {...form.getInputProps('plan')} />
      <NativeSelect
        label={strings.settings.apiAccess}
        data={accessChoices}
        {...form.getInputProps('api_access')}
      />
      <NativeSelect
        label={strings.settings.selfServiceTokens}
        data={accessChoices}
        {...form.getInputProps('self_service_tokens')}
      />
      <NativeSelect
        label={strings.settings.rateLimit}
        data={limitKinds}
        {...form.getInputProps('limit_kind')}
      />
      {form.values.limit_kind === 'own' && (
        <TextInput
          label={strings.settings.requestsPerSecond}
          inputMode="numeric"
          {...form.getInputProps('rate_limit')}
        />
      )}
    </FieldRow>
  )
}

/** Whether the project would have API access with these settings. */
function hasAccess({ plan, api_access }: Values): boolean {
  return api_access === 'on' || (api_access === 'plan' && plan !== 'free')
}

function valuesOf(project: OperatorProject): Values {
  const { plan, api_access, self_service_tokens, rate_limit, rate_limit_override: override } = project
  const limit_kind = override === 'plan' || override === 'none' ? override : 'own'
  const own = String(rate_limit?.requests_per_second ?? '')
  return { plan, api_access, self_service_tokens, limit_kind, rate_limit: own }
}

function checkLimit(limit: string, { limit_kind }: Values): string | null {
  if (limit_kind !== 'own' || /^[1-9]\d{0,5}$/.test(limit)) return null
  return strings.settings.requestsInvalid
}
