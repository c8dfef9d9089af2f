import { type Migration, thisRelease } from '../../platform/database/migration/migration-file.ts'

type Named = { name: string; checksum: string }

/** The migration files behind a schema. The schema of a newer release may have tables that this one does not know. */
export function requireKnownMigrations(applied: Named[], owner: string): Migration[] {
  const release = thisRelease()
  return applied.map(({ name, checksum }) => {
    const migration = release.migrations.find((one) => one.name === name)
    if (migration === undefined)
      throw new Error(
        `${owner} has migration ${name}, which version ${release.version} does not include; use a newer version`,
      )
    if (migration.checksum !== checksum)
      throw new Error(
        `migration ${name} of ${owner} differs from the one in this version; use the version that created it`,
      )
    return migration
  })
}
