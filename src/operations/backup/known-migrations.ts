import { type Migration, thisRelease } from '../../platform/database/migration/migration-file.ts'

type Named = { name: string; checksum: string }

/** The files of this release that made a schema. A schema of a newer release has tables that this one does not know of. */
export function requireKnownMigrations(applied: Named[], owner: string): Migration[] {
  const release = thisRelease()
  return applied.map(({ name, checksum }) => {
    const migration = release.migrations.find((one) => one.name === name)
    if (migration === undefined)
      throw new Error(
        `${owner} has migration ${name}, which version ${release.version} does not know; use the newer version`,
      )
    if (migration.checksum !== checksum)
      throw new Error(`${owner} has migration ${name} with another text; use the version that it comes from`)
    return migration
  })
}
