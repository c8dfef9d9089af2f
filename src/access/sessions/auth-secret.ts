import type { Queryable } from '../../platform/database/database.ts'
import { storedSecret } from '../../platform/database/stored-secret.ts'

/** The secret that signs cookies: from the configuration, or generated once and stored in the database for all processes. */
export function authSecret(database: Queryable, configured: string | undefined): () => Promise<string> {
  const stored = storedSecret(database, 'auth')
  return () => (configured === undefined ? stored() : Promise.resolve(configured))
}
