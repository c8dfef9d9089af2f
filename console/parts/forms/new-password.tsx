import { hasLength, matchesField } from '@mantine/form'
import { PasswordField } from './password-field.tsx'

type Name = 'newPassword' | 'again'

/** What a form of a new password begins with, and how it is checked before it is sent. */
export const newPassword = {
  values: { newPassword: '', again: '' },
  checks: {
    newPassword: hasLength({ min: 10, max: 128 }, 'Use 10 to 128 characters.'),
    again: matchesField('newPassword', 'This is not the same password.'),
  },
}

/** A new password, twice. */
export function NewPasswordFields({ inputProps }: { inputProps: (name: Name) => object }) {
  return (
    <>
      <PasswordField
        label="New password"
        description="At least 10 characters"
        autoComplete="new-password"
        {...inputProps('newPassword')}
      />
      <PasswordField label="New password again" autoComplete="new-password" {...inputProps('again')} />
    </>
  )
}
