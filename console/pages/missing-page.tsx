import { Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Page } from '../parts/page.tsx'

export function MissingPage() {
  return (
    <Page
      title="Nothing here"
      lead="The address is wrong, or it belongs to a project that you are not a member of."
    >
      <p>
        <Anchor component={Link} to="/">
          Go to the start
        </Anchor>
      </p>
    </Page>
  )
}
