import { Alert, Anchor, Button, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { ProblemError } from '../network.ts'
import { Icon } from '../parts/icons.tsx'
import type { EntryResult } from '../wire.ts'
import { giveCode, giveRecoveryCode } from './changes.ts'
import { enterWithPasskey } from './passkeys.ts'
import styles from './sign-in.module.css'
import { strings } from './strings.ts'

type Method = NonNullable<EntryResult['second_factor']>[number]

type Props = {
  methods: readonly Method[]
  done: () => unknown
  /** Returns to the first step, for example after too long a pause. */
  back: () => void
  isDialog: boolean
  children?: ReactNode
}

/** The second step of a sign-in. */
export function SecondFactorStep({ methods, done, back, isDialog, children }: Props) {
  const [method, setMethod] = useState<Method>(methods[0] ?? 'recovery_code')
  const enter = useMutation({
    mutationFn: (code: string) => send(method, code),
    onSuccess: done,
  })
  const isExpired = enter.error instanceof ProblemError && enter.error.code === 'sign_in_expired'
  const choose = (next: Method) => {
    enter.reset()
    setMethod(next)
  }
  return (
    <div className={styles.form}>
      <StepText key={method} method={method} />
      {method === 'passkey' ? (
        <div className={isDialog ? styles.buttons : styles.form}>
          {children}
          <Button
            loading={enter.isPending}
            onClick={() => enter.mutate('')}
            data-mantine-stop-propagation={isDialog}
          >
            {strings.step.passkey.submit}
          </Button>
        </div>
      ) : (
        <CodeForm key={method} method={method} isDialog={isDialog} enter={enter}>
          {children}
        </CodeForm>
      )}
      {enter.error !== null && (
        <Alert color="red" role="alert" icon={<Icon name="alert" />}>
          {explain(enter.error)}
        </Alert>
      )}
      <div className={styles.choices}>
        {methods
          .filter((other) => other !== method)
          .map((other) => (
            <Anchor
              key={other}
              component="button"
              type="button"
              onClick={() => choose(other)}
              data-mantine-stop-propagation={isDialog}
            >
              {strings.step[other].choose}
            </Anchor>
          ))}
        <Anchor component="button" type="button" onClick={back} data-mantine-stop-propagation={isDialog}>
          {isExpired ? strings.step.startAgain : strings.step.back}
        </Anchor>
      </div>
    </div>
  )
}

/** Gets the focus, so that screen readers read the new step. */
function StepText({ method }: { method: Method }) {
  const text = useRef<HTMLParagraphElement>(null)
  useEffect(() => {
    if (method === 'passkey') text.current?.focus()
  }, [method])
  return (
    <p ref={text} tabIndex={-1} className={styles.step}>
      {strings.step[method].text}
    </p>
  )
}

type CodeProps = {
  method: 'totp' | 'recovery_code'
  isDialog: boolean
  enter: { mutate: (code: string) => void; isPending: boolean; error: Error | null }
  children?: ReactNode
}

function CodeForm({ method, isDialog, enter, children }: CodeProps) {
  const { label, missing, submit } = strings.step[method]
  const form = useForm({
    initialValues: { code: '' },
    validate: {
      code: (code) =>
        (method === 'totp' ? /^\d{6}$/.test(code.replaceAll(/\s/g, '')) : code.trim() !== '')
          ? null
          : missing,
    },
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: when the step appears, and after each error
  useEffect(() => {
    form.getInputNode('code')?.focus()
    if (enter.error !== null) (form.getInputNode('code') as HTMLInputElement | null)?.select()
  }, [enter.error])
  return (
    <form
      className={styles.form}
      noValidate
      onSubmit={form.onSubmit(({ code }) => enter.mutate(code.trim()))}
    >
      <TextInput
        label={label}
        inputMode={method === 'totp' ? 'numeric' : 'text'}
        autoComplete={method === 'totp' ? 'one-time-code' : 'off'}
        autoCapitalize="none"
        spellCheck={false}
        maxLength={method === 'totp' ? 8 : 40}
        classNames={{ input: styles.code ?? '' }}
        data-mantine-stop-propagation={isDialog}
        {...form.getInputProps('code')}
      />
      <div className={isDialog ? styles.buttons : styles.form}>
        {children}
        <Button type="submit" size={isDialog ? 'sm' : 'md'} loading={enter.isPending}>
          {submit}
        </Button>
      </div>
    </form>
  )
}

async function send(method: Method, code: string): Promise<void> {
  if (method === 'passkey') return enterWithPasskey('second-factor')
  await (method === 'totp' ? giveCode(code) : giveRecoveryCode(code))
}

function explain(error: Error): string {
  if (!(error instanceof ProblemError)) return error.message
  if (error.status === 429) return strings.form.tooMany(error.retryAfterSeconds)
  return error.message
}
