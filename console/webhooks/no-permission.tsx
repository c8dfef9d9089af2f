import { Card } from '../parts/page.tsx'
import { strings } from './strings.ts'

export function NoWebhookPermission() {
  return <Card title={strings.noPermission.title}>{strings.noPermission.text}</Card>
}
