import type { VersionLookup } from '../../model/provenance/resolve-provenance.ts'
import type { Queryable } from '../../platform/database/database.ts'
import { findVersions } from './prompt-version.sql.ts'

type NamedVersion = { prompt_id: number; version_number: string }

/** Looks up all named versions at once. Versions are never deleted, so they need no lock. */
export async function lookUpVersions(
  database: Queryable,
  projectId: number,
  named: readonly (NamedVersion | undefined)[],
): Promise<VersionLookup> {
  const byKey = new Map(named.flatMap((one) => (one === undefined ? [] : [[keyOf(one), one]])))
  if (byKey.size === 0) return () => undefined
  const rows = await findVersions(database, projectId, [...byKey.values()])
  const found = new Map(rows.map((row) => [keyOf(row), row]))
  return (prompt_id, version_number) => found.get(keyOf({ prompt_id, version_number }))
}

function keyOf({ prompt_id, version_number }: NamedVersion): string {
  return `${prompt_id}/${version_number}`
}
