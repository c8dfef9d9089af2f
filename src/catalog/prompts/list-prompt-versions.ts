import { promptLimits } from '../../model/limits/prompts.ts'
import { parseVersion, type VersionNumber } from '../../model/prompts/version-number.ts'
import type { Queryable } from '../../platform/database/database.ts'
import { notFound } from '../../platform/http/problems.ts'
import type { PromptVersion } from './prompt-version.schema.ts'
import { listVersionsAfter } from './prompt-version.sql.ts'

const beforeAll: VersionNumber = [-1, 0, 0]

/**
 * All versions of a prompt: as rows, or, if there are many, as the response text in batches. No connection is held between batches,
 * because versions never change and new ones come last.
 */
export async function listPromptVersions(
  database: Queryable,
  projectId: number,
  promptId: number,
): Promise<{ versions: PromptVersion[] } | { parts: () => AsyncGenerator<string> }> {
  const after = (number: VersionNumber) =>
    listVersionsAfter(database, projectId, promptId, number, promptLimits.readBytes)
  const first = await after(beforeAll)
  if (first.versions.length === 0) throw notFound('prompt', promptId)
  if (first.areAll) return { versions: first.versions }

  return {
    async *parts() {
      let { versions, areAll } = first
      yield `{"versions":[${JSON.stringify(versions).slice(1, -1)}`
      while (!areAll) {
        const last = versions.at(-1) as PromptVersion
        ;({ versions, areAll } = await after(parseVersion(last.version_number) as VersionNumber))
        yield `,${JSON.stringify(versions).slice(1, -1)}`
      }
      yield ']}'
    },
  }
}
