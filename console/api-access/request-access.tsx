import { Button, Textarea, TextInput } from '@mantine/core'
import { isEmail, isNotEmpty, useForm } from '@mantine/form'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { requestAccess } from '../changes.ts'
import { Facts } from '../parts/facts.tsx'
import { RelativeTime } from '../parts/format/relative-time.tsx'
import { FieldRow, Form, useSubmission } from '../parts/forms/form.tsx'
import { notifySuccess } from '../parts/notify.ts'
import { Card } from '../parts/page.tsx'
import { apiAccessQuery } from '../queries.ts'
import { useSession } from '../session.ts'
import type { AccessRequest } from '../wire.ts'
import styles from './api-access.module.css'
import { strings } from './strings.ts'

type Props = { project: number; request: AccessRequest | null }

/** The request form, or the state of the last request. */
export function RequestAccess({ project, request }: Props) {
  const [asksAgain, setAsksAgain] = useState(false)
  if (request?.state === 'open') return <OpenRequest request={request} />
  if (request?.state === 'declined' && !asksAgain)
    return <DeclinedRequest request={request} askAgain={() => setAsksAgain(true)} />
  return (
    <Card title={strings.request.title} lead={strings.request.lead}>
      <RequestForm project={project} />
    </Card>
  )
}

function OpenRequest({ request }: { request: AccessRequest }) {
  return (
    <Card title={strings.openRequest.title} lead={strings.openRequest.lead}>
      <Facts
        facts={{
          [strings.openRequest.sent]: <RelativeTime at={request.created_at} />,
          [strings.openRequest.by]: (
            <>
              <bdi>{request.name}</bdi>
              {`, ${request.email}`}
            </>
          ),
          [strings.openRequest.purpose]: <span className={styles.purpose}>{request.purpose}</span>,
        }}
      />
    </Card>
  )
}

function DeclinedRequest({ request, askAgain }: { request: AccessRequest; askAgain: () => void }) {
  return (
    <Card title={strings.declinedRequest.title} lead={strings.declinedRequest.lead}>
      <Facts
        facts={{
          [strings.declinedRequest.reason]: (
            <span className={styles.purpose}>{request.reason ?? strings.declinedRequest.noReason}</span>
          ),
          [strings.declinedRequest.decided]:
            request.decided_at === null ? '–' : <RelativeTime at={request.decided_at} />,
          [strings.declinedRequest.purpose]: <span className={styles.purpose}>{request.purpose}</span>,
        }}
      />
      <Button mt="lg" onClick={askAgain}>
        {strings.declinedRequest.again}
      </Button>
    </Card>
  )
}

function RequestForm({ project }: { project: number }) {
  const { user } = useSession()
  const queries = useQueryClient()
  const form = useForm({
    initialValues: { name: user.name, email: user.email, purpose: '' },
    validate: {
      name: isNotEmpty(strings.request.nameMissing),
      email: isEmail(strings.request.emailInvalid),
      purpose: isNotEmpty(strings.request.purposeMissing),
    },
  })
  const submission = useSubmission(
    form,
    (values) => requestAccess(project, values),
    () => {
      notifySuccess(strings.request.sent)
      return queries.invalidateQueries({ queryKey: apiAccessQuery(project).queryKey })
    },
  )
  return (
    <Form submission={submission} action={strings.request.submit}>
      <FieldRow>
        <TextInput label={strings.request.name} autoComplete="name" {...form.getInputProps('name')} />
        <TextInput
          label={strings.request.email}
          type="email"
          autoComplete="email"
          {...form.getInputProps('email')}
        />
      </FieldRow>
      <Textarea
        label={strings.request.purpose}
        description={strings.request.purposeHint}
        rows={4}
        maxLength={2000}
        {...form.getInputProps('purpose')}
      />
    </Form>
  )
}
