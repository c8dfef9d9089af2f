import { isLoopbackName } from '../../platform/http/request/loopback.ts'
import { type GroupMap, readGroupMap } from './group-map.ts'

/** The OpenID provider that the operator configured. */
export type CompanySettings = {
  issuer: string
  clientId: string
  clientSecret: string
  scopes: string
  groupsClaim: string
  /** Undefined if operators decide who can access what. */
  groups: GroupMap | undefined
}

type Configured = {
  oidcIssuer?: string | undefined
  oidcClientId?: string | undefined
  oidcClientSecret?: string | undefined
  oidcScopes?: string | undefined
  oidcGroupsClaim?: string | undefined
  oidcGroupsFile?: string | undefined
}

/** Undefined without a provider. Reads the group map, and throws an error that names the wrong setting. */
export function companySettings(config: Configured): CompanySettings | undefined {
  const { oidcIssuer: issuer, oidcClientId: clientId, oidcClientSecret: clientSecret } = config
  if (issuer === undefined) return undefined
  if (clientId === undefined || clientSecret === undefined)
    throw new Error('CATALOG_OIDC_ISSUER also needs CATALOG_OIDC_CLIENT_ID and CATALOG_OIDC_CLIENT_SECRET')
  checkIssuer(issuer)
  const { oidcScopes = '', oidcGroupsClaim = '', oidcGroupsFile } = config
  return {
    issuer,
    clientId,
    clientSecret,
    scopes: oidcScopes,
    groupsClaim: oidcGroupsClaim,
    groups:
      oidcGroupsFile === undefined ? undefined : readGroupMap('CATALOG_OIDC_GROUPS_FILE', oidcGroupsFile),
  }
}

function checkIssuer(issuer: string): void {
  const url = URL.parse(issuer)
  const isPlain = url?.protocol === 'http:' && isLoopbackName(url.hostname)
  const isUrl = url !== null && (url.protocol === 'https:' || isPlain)
  if (!isUrl || url.username !== '' || url.search !== '' || url.hash !== '')
    throw new Error(
      `CATALOG_OIDC_ISSUER must be a URL such as https://login.example/realms/shop, not "${issuer}"; plain http is allowed only for loopback addresses`,
    )
}
