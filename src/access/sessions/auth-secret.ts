import type { Queryable } from '../../platform/database/database.ts'
import { storedSecret } from '../../platform/database/stored-secret.ts'

/** The secret that signs the cookies: from the configuration, or made once and stored in the database for every process on it. */
export function authSecret(database: Queryable, configured: string | undefined): () => Promise<string> {
  const kept = storedSecret(database, 'auth')
  return () => (configured === undefined ? kept() : Promise.resolve(configured))
}
