import { countUnreadableKeys } from '../../catalog/ai-providers/offer.sql.ts'
import { sql } from '../../platform/database/sql.ts'
import { findStoredKeyId, keyIdOf } from '../../platform/secrets/secret-cipher.ts'
import { type Check, failure, ok, onDatabase } from './check.ts'

/** Compares the IDs of encryption keys, because opening the cipher would generate a key in a new database. */
export const providersCheck: Check = onDatabase('AI providers', async (database, { config }) => {
  const [table] = await database.query(
    sql<{ found: boolean }>`select to_regclass('ai_providers') is not null as found`,
  )
  if (table?.found !== true) return ok('not checked until the migrations are applied')
  const stored = await findStoredKeyId(database)
  const known = [...config.webhookKeys.map(keyIdOf), ...(stored === undefined ? [] : [stored])]
  const unreadable = await countUnreadableKeys(database, known)
  if (unreadable === 0) return ok('all keys can be decrypted')
  return failure(
    `${unreadable} ${unreadable === 1 ? 'key' : 'keys'} of AI providers cannot be decrypted`,
    'add the previous key to CATALOG_WEBHOOK_KEY, or send the keys of the providers again',
  )
})
