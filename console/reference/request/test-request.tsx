import { Alert, Button, Modal } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { PasswordField } from '../../parts/forms/password-field.tsx'
import { Icon } from '../../parts/icons.tsx'
import type { Operation } from '../document/operations.ts'
import { MethodTag } from '../method-tag.tsx'
import { useReference } from '../reference-context.ts'
import { strings } from '../strings.ts'
import { BodyField, useBody } from './body-field.tsx'
import { ParameterFields } from './parameter-fields.tsx'
import { baseOf, requestOf, type Values } from './request.ts'
import styles from './test-request.module.css'
import { TestResponse } from './test-response.tsx'
import { useSend } from './use-send.ts'

type Props = { operation: Operation | undefined; opened: boolean; close: () => void }

/** Sends a request. Only this component has the token, so it is gone when the page closes. */
export function TestRequest({ operation, opened, close }: Props) {
  const [token, setToken] = useState('')
  return (
    <Modal
      opened={opened}
      onClose={close}
      title={operation && strings.test.title(operation.summary)}
      size="70rem"
      centered={false}
      closeOnClickOutside={false}
    >
      {operation !== undefined && (
        <RequestForm key={operation.id} operation={operation} token={token} setToken={setToken} />
      )}
    </Modal>
  )
}

type FormProps = { operation: Operation; token: string; setToken: (token: string) => void }

function RequestForm({ operation, token, setToken }: FormProps) {
  const { server } = useReference()
  const [values, setValues] = useState<Values>({})
  const [body, setBody] = useBody(operation)
  const { send, isSending, response, error } = useSend()
  const request = requestOf(operation, { base: baseOf(operation, server), values, token: token.trim(), body })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    send(request)
  }
  return (
    <form onSubmit={submit} className={styles.form}>
      <div className={styles.address}>
        <MethodTag method={operation.method} />
        <output aria-label={strings.test.url}>{request.url}</output>
        <Button type="submit" loading={isSending}>
          {strings.test.send}
        </Button>
      </div>
      <div className={styles.fields}>
        {operation.method !== 'get' && <ChangesData />}
        <PasswordField
          label={strings.test.token}
          description={operation.needsToken ? strings.test.tokenHint : strings.test.noToken}
          autoComplete="off"
          data-autofocus
          value={token}
          onChange={(event) => setToken(event.currentTarget.value)}
        />
        <ParameterFields
          parameters={operation.parameters}
          values={values}
          change={(key, value) => setValues((before) => ({ ...before, [key]: value }))}
        />
        {body !== undefined && <BodyField operation={operation} body={body} setBody={setBody} />}
      </div>
      <TestResponse operation={operation} hasToken={token !== ''} response={response} error={error} />
    </form>
  )
}

function ChangesData() {
  return (
    <Alert color="yellow" icon={<Icon name="alert" />} title={strings.test.realData}>
      {strings.test.realDataHint}
    </Alert>
  )
}
