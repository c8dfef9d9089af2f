import { PasswordInput, type PasswordInputProps } from '@mantine/core'
import { strings } from '../strings.ts'

/** Mantine's field, with its error announced to screen readers and its visibility toggle reachable by keyboard. */
export function PasswordField(props: PasswordInputProps) {
  const hasError = props.error !== undefined && props.error !== null && props.error !== false
  return (
    <PasswordInput
      {...props}
      aria-invalid={hasError}
      visibilityToggleButtonProps={{
        'aria-label': strings.password.show,
        tabIndex: 0,
        ...props.visibilityToggleButtonProps,
      }}
    />
  )
}
