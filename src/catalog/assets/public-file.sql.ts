import { apiAccess } from '../../access/projects/project-access.sql.ts'
import type { BatchedRead } from '../../platform/database/batching/batch-reads.ts'
import { sql } from '../../platform/database/sql.ts'
import type { AssetRow } from './asset.sql.ts'

export type PublicFileKey = { mediaKey: string; hash: string }

type FileColumns = Pick<AssetRow, 'kind' | 'mime' | 'bytes' | 'state' | 'file'>

/** The project with a media key, and its asset with a hash. */
export type PublicFile = {
  media_key: string
  hash: string
  project_id: number
  /** Whether the project serves files without a token. */
  is_public: boolean
  /** Null if the project has no such asset. */
  asset: FileColumns | null
}

/** Every request reads the row, so that a change of the project, or an erasure, applies from its commit on. */
export const publicFileRead: BatchedRead<PublicFileKey, PublicFile> = {
  keyOf: ({ mediaKey, hash }) => `${mediaKey}/${hash}`,
  keyOfRow: ({ media_key, hash }) => `${media_key}/${hash}`,
  select: (keys) => sql`
    select project.media_key, wanted.hash, project.id as project_id, ${apiAccess} and project.media = 'public' as is_public,
      case when asset.hash is not null
           then json_build_object('kind', asset.kind, 'mime', asset.mime, 'bytes', asset.bytes, 'state', asset.state, 'file', asset.file)
      end as asset
    from unnest(${keys.map(({ mediaKey }) => mediaKey)}::text[], ${keys.map(({ hash }) => hash)}::text[]) as wanted (media_key, hash)
    join projects as project on project.media_key = wanted.media_key
    join plans as plan on plan.code = project.plan
    left join assets as asset on asset.project_id = project.id and asset.hash = wanted.hash`,
}
