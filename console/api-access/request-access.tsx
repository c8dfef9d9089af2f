import { Button, Textarea, TextInput } from '@mantine/core'
import { isEmail, isNotEmpty, useForm } from '@mantine/form'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { requestAccess } from '../changes.ts'
import { sayDone } from '../parts/done.ts'
import { Facts } from '../parts/facts.tsx'
import { FieldRow, Form, useSubmission } from '../parts/forms/form.tsx'
import { Card } from '../parts/page.tsx'
import { Moment } from '../parts/words/moment.tsx'
import { apiAccessQuery } from '../queries.ts'
import { useSession } from '../session.ts'
import type { AccessRequest } from '../wire.ts'
import styles from './api-access.module.css'

type Props = { project: number; request: AccessRequest | null }

/** The contact form, or what became of the request. */
export function RequestAccess({ project, request }: Props) {
  const [asksAgain, setAsksAgain] = useState(false)
  if (request?.state === 'open') return <OpenRequest request={request} />
  if (request?.state === 'declined' && !asksAgain)
    return <DeclinedRequest request={request} askAgain={() => setAsksAgain(true)} />
  return (
    <Card
      title="Ask for API access"
      lead="The operator of this service reads your request and answers it here."
    >
      <RequestForm project={project} />
    </Card>
  )
}

function OpenRequest({ request }: { request: AccessRequest }) {
  return (
    <Card
      title="Your request is with the operator"
      lead="There is nothing more to do. Once it is approved, this page shows your token."
    >
      <Facts
        facts={{
          Sent: <Moment at={request.created_at} />,
          By: (
            <>
              <bdi>{request.name}</bdi>, {request.email}
            </>
          ),
          'What for': <span className={styles.purpose}>{request.purpose}</span>,
        }}
      />
    </Card>
  )
}

function DeclinedRequest({ request, askAgain }: { request: AccessRequest; askAgain: () => void }) {
  return (
    <Card title="Your request was declined" lead="Read the reason; you may ask again.">
      <Facts
        facts={{
          Reason: <span className={styles.purpose}>{request.reason ?? 'None given'}</span>,
          Decided: request.decided_at === null ? '–' : <Moment at={request.decided_at} />,
          'You asked for': <span className={styles.purpose}>{request.purpose}</span>,
        }}
      />
      <Button mt="lg" onClick={askAgain}>
        Ask again
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
      name: isNotEmpty('Enter your name.'),
      email: isEmail('Enter an email address such as name@example.com.'),
      purpose: isNotEmpty('Say what you want to use it for.'),
    },
  })
  const submission = useSubmission(
    form,
    (values) => requestAccess(project, values),
    () => {
      sayDone('Your request is sent.')
      return queries.invalidateQueries({ queryKey: apiAccessQuery(project).queryKey })
    },
  )
  return (
    <Form submission={submission} action="Send request">
      <FieldRow>
        <TextInput label="Name" autoComplete="name" {...form.getInputProps('name')} />
        <TextInput label="Email" type="email" autoComplete="email" {...form.getInputProps('email')} />
      </FieldRow>
      <Textarea
        label="What do you want to use the API for?"
        description="For example: show products in our shop; push stock from the warehouse every hour."
        rows={4}
        maxLength={2000}
        {...form.getInputProps('purpose')}
      />
    </Form>
  )
}
