import { compareReleases, thisRelease } from '../../platform/database/migration/migration-file.ts'
import { compileBody } from '../../platform/http/body/validate-body.ts'
import type { BodyError, Problem } from '../../platform/http/problems.ts'
import { operationLimits } from '../limits.ts'
import { requireKnownMigrations } from './known-migrations.ts'
import { firstLine, type Manifest, ManifestSchema } from './manifest.ts'

const maxShownErrors = 5

const checkShape = compileBody(ManifestSchema)

/** Parses a manifest. A correct checksum does not prove that this program wrote the file. */
export function parseManifest(text: string, manifestAt: number, file: string): Manifest {
  const reject = (reason: string): never => {
    throw new Error(`cannot restore ${file}: ${reason}`)
  }
  if (text.length > operationLimits.manifestBytes) return reject('its manifest is too long')
  const parsed = parseJson(text)
  if (parsed === undefined) return reject('its manifest is not valid JSON')
  const result = checkShape(parsed)
  if ('error' in result) return reject(`its manifest is invalid: ${describeErrors(result.error)}`)
  const checked = result.value as Manifest
  const rowsEnd = checked.tables.reduce((end, { bytes }) => end + bytes, firstLine.length)
  const mediaEnd = rowsEnd + (checked.media?.included?.sectionBytes ?? 0)
  if (mediaEnd + '\n'.length !== manifestAt)
    return reject('its manifest does not match the size of its tables')
  rejectNewer(checked, file)
  requireKnownMigrations(checked.migrations, file)
  return checked
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function describeErrors({ message, extras: { errors = [] } }: Problem): string {
  const shown = errors.slice(0, maxShownErrors).map((error) => {
    const { pointer, message: reason } = error as BodyError
    return `${pointer.slice(1) || 'it'} ${reason}`
  })
  return shown.join('; ') || message
}

/** Even with the same tables, values may be from a newer release. */
function rejectNewer({ release }: Manifest, file: string): void {
  const { version } = thisRelease()
  if (compareReleases(release, version) > 0)
    throw new Error(
      `${file} was written by version ${release}, but this is version ${version}; restore it with version ${release} or newer`,
    )
}
