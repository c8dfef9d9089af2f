import { Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Page } from '../parts/page.tsx'
import { strings } from './strings.ts'

export function MissingPage() {
  return (
    <Page title={strings.missing.title} lead={strings.missing.lead}>
      <p>
        <Anchor component={Link} to="/">
          {strings.missing.home}
        </Anchor>
      </p>
    </Page>
  )
}
