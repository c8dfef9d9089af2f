import { Card } from '../parts/page.tsx'

export function NoPermission() {
  return (
    <Card title="Not with your role">
      Only managers of this project keep webhooks. Ask the operator for another role.
    </Card>
  )
}
