import { compareReleases, thisRelease } from '../../platform/database/migration/migration-file.ts'
import { compileBody } from '../../platform/http/body/validate-body.ts'
import type { BodyError, Problem } from '../../platform/http/problems.ts'
import { operationLimits } from '../limits.ts'
import { requireKnownMigrations } from './known-migrations.ts'
import { firstLine, type Manifest, ManifestSchema } from './manifest.ts'

const mostShownFaults = 5

const checkShape = compileBody(ManifestSchema)

/** The manifest of a file whose checksum is right, which does not mean that our program wrote it. */
export function parseManifest(text: string, manifestAt: number, file: string): Manifest {
  const refuse = (reason: string): never => {
    throw new Error(`${file} cannot be restored: ${reason}`)
  }
  if (text.length > operationLimits.manifestBytes) return refuse('its manifest is too long')
  const parsed = parseJson(text)
  if (parsed === undefined) return refuse('its manifest is not JSON')
  const result = checkShape(parsed)
  if ('error' in result) return refuse(`its manifest is malformed: ${describeFaults(result.error)}`)
  const checked = result.value as Manifest
  const rowsEnd = checked.tables.reduce((end, { bytes }) => end + bytes, firstLine.length)
  if (rowsEnd + '\n'.length !== manifestAt)
    return refuse('its manifest does not match the size of its tables')
  refuseNewer(checked, file)
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

function describeFaults({ message, extras: { errors = [] } }: Problem): string {
  const shown = errors.slice(0, mostShownFaults).map((fault) => {
    const { pointer, message: reason } = fault as BodyError
    return `${pointer.slice(1) || 'it'} ${reason}`
  })
  return shown.join('; ') || message
}

/** The same tables may hold values that only the newer release understands. */
function refuseNewer({ release }: Manifest, file: string): void {
  const { version } = thisRelease()
  if (compareReleases(release, version) > 0)
    throw new Error(
      `${file} was written by version ${release}, and this is version ${version}; restore it with version ${release} or newer`,
    )
}
