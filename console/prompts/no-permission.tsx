import { Card } from '../parts/page.tsx'

export function NoPermission() {
  return (
    <Card title="Not with your role">
      You are a viewer of this project, and only editors and managers write prompts. Ask the operator for
      another role.
    </Card>
  )
}
