import { NativeSelect, TextInput } from '@mantine/core'
import { FormDialog } from '../parts/dialogs/form-dialog.tsx'
import { FieldRow } from '../parts/forms/form.tsx'
import { PasswordField } from '../parts/forms/password-field.tsx'
import { useCurrency } from '../parts/use-currency.ts'
import type { AiProvider } from '../wire.ts'
import { putProvider } from './changes.ts'
import { ModelFields } from './model-fields.tsx'
import {
  bodyOf,
  emptyProvider,
  type ProviderForm,
  useProviderForm,
  usualUrls,
  valuesOf,
} from './provider-form.ts'
import { strings } from './strings.ts'

type Props = {
  project: number
  /** Undefined for a new one. */
  provider?: AiProvider
  done: (saved: AiProvider) => void
  close: () => void
}

export function ProviderDialog({ project, provider, done, close }: Props) {
  const currency = useCurrency()
  const form = useProviderForm(provider === undefined ? emptyProvider(currency) : valuesOf(provider))
  return (
    <FormDialog
      title={provider === undefined ? strings.form.connectTitle : strings.form.editTitle(provider.name)}
      size="lg"
      action={provider === undefined ? strings.form.connect : strings.form.save}
      form={form}
      send={({ name, ...values }) => putProvider(project, name.trim(), bodyOf({ name, ...values }))}
      done={done}
      close={close}
    >
      <AddressFields form={form} isNew={provider === undefined} hasKey={provider?.has_key === true} />
      <ModelFields form={form} />
      <LimitFields form={form} />
    </FormDialog>
  )
}

const kinds = Object.entries(strings.kinds).map(([value, label]) => ({ value, label }))

function AddressFields({ form, isNew, hasKey }: { form: ProviderForm; isNew: boolean; hasKey: boolean }) {
  const choose = (kind: AiProvider['kind']) => {
    const isUsual = Object.values(usualUrls).includes(form.values.base_url)
    form.setValues({ kind, ...(isUsual && { base_url: usualUrls[kind] }) })
  }
  return (
    <>
      {isNew && (
        <TextInput
          label={strings.form.name}
          description={strings.form.nameHint}
          autoComplete="off"
          spellCheck={false}
          data-autofocus
          {...form.getInputProps('name')}
        />
      )}
      <FieldRow>
        <NativeSelect
          label={strings.form.kind}
          data={kinds}
          value={form.values.kind}
          error={form.errors['kind']}
          onChange={({ currentTarget }) => choose(currentTarget.value as AiProvider['kind'])}
        />
        <TextInput label={strings.form.currency} maxLength={3} {...form.getInputProps('currency')} />
      </FieldRow>
      <TextInput
        label={strings.form.url}
        description={strings.form.urlHint}
        placeholder={strings.form.urlExample}
        type="url"
        {...form.getInputProps('base_url')}
      />
      <KeyField
        label={strings.form.key}
        description={hasKey ? strings.form.keyKept : strings.form.keyHint}
        {...form.getInputProps('key')}
      />
    </>
  )
}

type KeyProps = { label: string; description?: string; 'data-autofocus'?: boolean }

/** Not a password of this site, so the browser neither fills nor stores it. */
export function KeyField(props: KeyProps) {
  return (
    <PasswordField
      autoComplete="off"
      data-1p-ignore
      visibilityToggleButtonProps={{ 'aria-label': strings.form.showKey }}
      {...props}
    />
  )
}

function LimitFields({ form }: { form: ProviderForm }) {
  const { noLimit } = strings.form
  return (
    <FieldRow>
      <TextInput
        label={strings.form.budget}
        description={noLimit}
        inputMode="decimal"
        {...form.getInputProps('monthly_budget')}
      />
      <TextInput
        label={strings.form.perMinute}
        description={noLimit}
        inputMode="numeric"
        {...form.getInputProps('requests_per_minute')}
      />
      <TextInput
        label={strings.form.concurrency}
        inputMode="numeric"
        {...form.getInputProps('concurrency')}
      />
    </FieldRow>
  )
}
