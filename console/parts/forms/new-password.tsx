import { hasLength, matchesField } from '@mantine/form'
import { strings } from '../strings.ts'
import { PasswordField } from './password-field.tsx'

type Name = 'newPassword' | 'again'

/** Initial values and validation of a new password. */
export const newPassword = {
  values: { newPassword: '', again: '' },
  checks: {
    newPassword: hasLength({ min: 10, max: 128 }, strings.password.length),
    again: matchesField('newPassword', strings.password.different),
  },
}

/** A new password, twice. */
export function NewPasswordFields({ inputProps }: { inputProps: (name: Name) => object }) {
  return (
    <>
      <PasswordField
        label={strings.password.new}
        description={strings.password.hint}
        autoComplete="new-password"
        {...inputProps('newPassword')}
      />
      <PasswordField label={strings.password.repeat} autoComplete="new-password" {...inputProps('again')} />
    </>
  )
}
