import { Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Page } from '../parts/page.tsx'

export function MissingPage() {
  return (
    <Page title="Nothing here" lead="The address is wrong, or you have no access to what it leads to.">
      <p>
        <Anchor component={Link} to="/">
          Go to the start
        </Anchor>
      </p>
    </Page>
  )
}
