import { isNotEmpty, useForm } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { changePassword } from '../changes.ts'
import { Facts } from '../parts/facts.tsx'
import { Form, useSubmission } from '../parts/forms/form.tsx'
import { NewPasswordFields, newPassword } from '../parts/forms/new-password.tsx'
import { PasswordField } from '../parts/forms/password-field.tsx'
import { notifySuccess } from '../parts/notify.ts'
import { Card, Page } from '../parts/page.tsx'
import { securityQuery } from '../queries.ts'
import { useSession } from '../session.ts'
import styles from './account.module.css'
import { CompanyCard } from './company-card.tsx'
import { OwnSessions } from './own-sessions.tsx'
import { SecondFactorCard } from './second-factor-card.tsx'
import { strings } from './strings.ts'

export function AccountPage() {
  const { user, projects, project_count } = useSession()
  const more = project_count - projects.length
  const hasPassword = useQuery(securityQuery).data?.has_password ?? true
  return (
    <Page title={strings.page.title} lead={strings.page.lead}>
      <Card title={strings.profile.title}>
        <Facts
          facts={{
            [strings.profile.name]: <bdi>{user.name || strings.profile.noName}</bdi>,
            [strings.profile.email]: user.email,
            [strings.profile.role]: user.operator ? strings.profile.operator : strings.profile.member,
            [strings.profile.projects]: user.operator ? (
              strings.profile.allProjects
            ) : (
              <>
                {projects.map(({ id, name }) => (
                  <div key={id}>
                    <bdi>{name}</bdi>
                  </div>
                ))}
                {more > 0 && strings.profile.moreProjects(more)}
                {project_count === 0 && strings.profile.noProjects}
              </>
            ),
          }}
        />
      </Card>
      <SecondFactorCard />
      <CompanyCard />
      {hasPassword && (
        <Card title={strings.password.title} lead={strings.password.lead}>
          <PasswordForm />
        </Card>
      )}
      <OwnSessions />
    </Page>
  )
}

function PasswordForm() {
  const form = useForm({
    initialValues: { currentPassword: '', ...newPassword.values },
    validate: {
      currentPassword: isNotEmpty(strings.password.currentMissing),
      ...newPassword.checks,
    },
  })
  const submission = useSubmission(
    form,
    ({ currentPassword, newPassword }) => changePassword({ currentPassword, newPassword }),
    () => {
      form.reset()
      notifySuccess(strings.password.done)
    },
  )
  return (
    <div className={styles.form}>
      <Form submission={submission} action={strings.password.submit} isUnchanged={!form.isDirty()}>
        <PasswordField
          label={strings.password.current}
          autoComplete="current-password"
          {...form.getInputProps('currentPassword')}
        />
        <NewPasswordFields inputProps={form.getInputProps} />
      </Form>
    </div>
  )
}
