import type { Migration } from '../../platform/database/migration/migration-file.ts'

const made =
  /\bcreate\s+(?:or\s+replace\s+)?(?:unlogged\s+)?(?:table|view|type|function|sequence)\s+(?:if\s+not\s+exists\s+)?(\w+)/gi

/**
 * The names of all objects that migrations create. Other objects in the schema are neither saved nor dropped. Indexes, triggers and
 * column sequences belong to their tables.
 */
export function listSchemaNames(migrations: Migration[]): string[] {
  const texts = migrations.map(({ text }) => text.replaceAll(/--.*/g, ''))
  const names = texts.flatMap((text) =>
    [...text.matchAll(made)].map(([, name]) => String(name).toLowerCase()),
  )
  return [...new Set(['migrations', ...names])]
}
