import { type Fence, fenceColumns, fenceHead } from '../../model/freshness/fence.sql.ts'
import type { FreshResponses, View } from '../../model/freshness/fresh-responses.ts'
import { defaultScopes, type Scope } from '../../model/scopes.ts'
import { boundedMap } from '../../platform/bounded-map.ts'
import type { BatchedRead } from '../../platform/database/batching/batch-reads.ts'
import type { Queryable, Transaction } from '../../platform/database/database.ts'
import { type Sql, sql } from '../../platform/database/sql.ts'
import { matchesWords } from '../../platform/database/statements/matches-words.ts'
import { type Page, type PageRequest, selectPage } from '../../platform/database/statements/select-page.ts'
import { apiAccess, burst, requestsPerSecond } from '../projects/project-access.sql.ts'
import type { Token } from './token.schema.ts'
import type { TokenSecret } from './token-format.ts'

/** The token, its project, and the current rights of the project. */
export type Credentials = {
  hash: string
  token_id: number
  token_name: string
  scopes: Scope[]
  valid: boolean
  project_id: number
  project_name: string
  plan: string
  currency: string
  /** The version of the rules that check and score its products. */
  ruleset: number
  api_access: boolean
  requests_per_second: number | null
  burst: number
  /** Only if the service stores responses. */
  view?: View | undefined
}

const columns = sql`id, project_id as project, name, last_characters, scopes, created_at, expires_at, revoked_at, last_used_at, successor_id, hash is not null as shown, self_service`

const credentialColumns = sql`encode(token.hash, 'hex') as hash, token.id as token_id, token.name as token_name, token.scopes,
           token.revoked_at is null and (token.expires_at is null or token.expires_at > clock_timestamp()) as valid,
           project.id as project_id, project.name as project_name, project.plan, project.currency, project.ruleset,
           ${apiAccess} as api_access, ${requestsPerSecond} as requests_per_second, ${burst} as burst`

const credentialTables = sql`tokens as token
    join projects as project on project.id = token.project_id
    join plans as plan on plan.code = project.plan`

/** The key is the token hash. Every request reads its credentials, so that changes apply from their commit on. */
export const credentialsRead: BatchedRead<string, Credentials> = {
  keyOf: (hash) => hash,
  keyOfRow: ({ hash }) => hash,
  select: (hashes) => sql`
    select ${credentialColumns} from ${credentialTables} where token.hash = any(${asBytes(hashes)}::bytea[])`,
}

const maxKnownTokens = 10_000

/** As above, with the fence of the project, which updates the stored responses. */
export function fencedCredentialsRead(stored: FreshResponses): BatchedRead<string, Credentials> {
  const projects = boundedMap<string, number>(maxKnownTokens)
  return {
    ...credentialsRead,
    select: (hashes) => {
      const numbers = hashes.map((hash) => stored.knownNumber(projects.get(hash)))
      const bytes = asBytes(hashes)
      return sql`
    select ${credentialColumns}, ${fenceColumns(sql`known.number`)} from ${credentialTables} ${fenceHead}
    cross join lateral (select (${numbers}::bigint[])[array_position(${bytes}::bytea[], token.hash)] as number) as known
    where token.hash = any(${bytes}::bytea[])`
    },
    fromJson: (row) => {
      if (!projects.has(row.hash)) projects.set(row.hash, row.project_id)
      row.view = stored.observe(row, row as Credentials & Fence)
      return row
    },
  }
}

function asBytes(hashes: readonly string[]): string[] {
  return hashes.map((hash) => `\\x${hash}`)
}

export const defaultTokenName = 'API client'

export type TokenRequest = {
  name?: string
  scopes?: readonly Scope[]
  expiresAt?: string | null
  /** Created by a member of the project. */
  selfService?: boolean
}

/** A token without a secret cannot be used; `setTokenSecret` adds one later. */
export async function insertToken(
  tx: Transaction,
  projectId: number,
  { name = defaultTokenName, scopes = defaultScopes, expiresAt = null, selfService = false }: TokenRequest,
  secret?: TokenSecret,
): Promise<Token> {
  const [row] = await tx.query(sql<Token>`
    insert into tokens (project_id, name, hash, last_characters, scopes, expires_at, self_service)
    values (${projectId}, ${name}, decode(${secret?.hash ?? null}, 'hex'), ${secret?.lastCharacters ?? null}, ${scopes}, ${expiresAt}, ${selfService})
    returning ${columns}`)
  return row as Token
}

export function listTokens(database: Queryable, projectId: number): Promise<Token[]> {
  return database.query(sql<Token>`select ${columns} from tokens where project_id = ${projectId} order by id`)
}

export const tokenStates = ['valid', 'ended'] as const
type TokenFilters = { search?: string | undefined; state?: (typeof tokenStates)[number] | undefined }

const isEnded: Sql = sql`(revoked_at is not null or coalesce(expires_at <= now(), false))`

/** Valid tokens first, newest first. */
export function listTokenPage(
  database: Queryable,
  projectId: number,
  { search, state }: TokenFilters,
  page: PageRequest,
): Promise<Page<Token>> {
  const inState = state === undefined ? sql`` : sql`and ${isEnded} = ${state === 'ended'}`
  return selectPage(database, {
    columns,
    from: sql`tokens`,
    where: sql`project_id = ${projectId} and ${matchesWords([sql`name`, sql`last_characters`], search)} ${inState}`,
    orderBy: sql`${isEnded}, id desc`,
    page,
  })
}

export async function lockToken(tx: Transaction, id: number): Promise<Token | undefined> {
  const [row] = await tx.query(sql<Token>`select ${columns} from tokens where id = ${id} for update`)
  return row
}

export async function setTokenSecret(tx: Transaction, id: number, secret: TokenSecret): Promise<Token> {
  const [row] = await tx.query(sql<Token>`
    update tokens set hash = decode(${secret.hash}, 'hex'), last_characters = ${secret.lastCharacters} where id = ${id}
    returning ${columns}`)
  return row as Token
}

export async function revokeTokenRow(database: Queryable, id: number): Promise<Token | undefined> {
  const [row] = await database.query(sql<Token>`
    update tokens set revoked_at = coalesce(revoked_at, now()) where id = ${id} returning ${columns}`)
  return row
}

export async function replaceToken(
  tx: Transaction,
  id: number,
  successorId: number,
  overlapSeconds: number,
): Promise<void> {
  await tx.query(sql`
    update tokens
    set successor_id = ${successorId}, expires_at = least(expires_at, now() + make_interval(secs => ${overlapSeconds}))
    where id = ${id}`)
}

export async function touchTokens(database: Queryable, ids: number[]): Promise<void> {
  await database.query(sql`update tokens set last_used_at = now() where id = any(${ids}::bigint[])`)
}

/** Counts the valid tokens that members created. */
export async function countOwnTokens(tx: Transaction, projectId: number): Promise<number> {
  const [row] = await tx.query(sql<{ count: number }>`
    select count(*) as count from tokens
    where project_id = ${projectId} and self_service and revoked_at is null
      and (expires_at is null or expires_at > clock_timestamp())`)
  return row?.count ?? 0
}
