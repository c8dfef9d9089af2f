import { isNotEmpty, useForm } from '@mantine/form'
import { changePassword } from '../changes.ts'
import { sayDone } from '../parts/done.ts'
import { Facts } from '../parts/facts.tsx'
import { Form, useSubmission } from '../parts/forms/form.tsx'
import { NewPasswordFields, newPassword } from '../parts/forms/new-password.tsx'
import { PasswordField } from '../parts/forms/password-field.tsx'
import { Card, Page } from '../parts/page.tsx'
import { useSession } from '../session.ts'
import styles from './account.module.css'
import { OwnSessions } from './own-sessions.tsx'

export function AccountPage() {
  const { user, projects, project_count } = useSession()
  const more = project_count - projects.length
  return (
    <Page title="Account" lead="Who you are here, your password, and where you are signed in.">
      <Card title="You">
        <Facts
          facts={{
            Name: <bdi>{user.name || 'Not given'}</bdi>,
            Email: user.email,
            Role: user.operator ? 'Operator' : 'Member',
            Projects: user.operator ? (
              'All'
            ) : (
              <>
                {projects.map(({ id, name }) => (
                  <div key={id}>
                    <bdi>{name}</bdi>
                  </div>
                ))}
                {more > 0 && `and ${more} more`}
                {project_count === 0 && 'None'}
              </>
            ),
          }}
        />
      </Card>
      <Card title="Change password" lead="Your other sessions end when the password changes; this one stays.">
        <PasswordForm />
      </Card>
      <OwnSessions />
    </Page>
  )
}

function PasswordForm() {
  const form = useForm({
    initialValues: { currentPassword: '', ...newPassword.values },
    validate: {
      currentPassword: isNotEmpty('Enter the password you have now.'),
      ...newPassword.checks,
    },
  })
  const submission = useSubmission(
    form,
    ({ currentPassword, newPassword }) => changePassword({ currentPassword, newPassword }),
    () => {
      form.reset()
      sayDone('Your password is changed.')
    },
  )
  return (
    <div className={styles.form}>
      <Form submission={submission} action="Change password" isUnchanged={!form.isDirty()}>
        <PasswordField
          label="Current password"
          autoComplete="current-password"
          {...form.getInputProps('currentPassword')}
        />
        <NewPasswordFields inputProps={form.getInputProps} />
      </Form>
    </div>
  )
}
