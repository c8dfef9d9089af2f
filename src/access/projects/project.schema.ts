import { Type } from 'typebox'
import { scopes } from '../../model/scopes.ts'
import { closed } from '../../platform/http/closed.ts'
import { OneOf } from '../../platform/http/openapi.ts'

export const currencyPattern = /^[A-Z]{3}$/
/** The operator's setting for a project; `plan` means that the plan decides. */
export const overrides = ['on', 'off', 'plan'] as const
export type Override = (typeof overrides)[number]

/** Who can read the files of a project without a token. */
export const mediaAccess = ['public', 'private'] as const
export type MediaAccess = (typeof mediaAccess)[number]

export const RateLimitSchema = Type.Unsafe<{ requests_per_second: number; burst: number } | null>({
  type: ['object', 'null'],
  description: 'null means no limit',
  properties: { requests_per_second: Type.Integer(), burst: Type.Integer() },
  required: ['requests_per_second', 'burst'],
  ...closed,
})

export function rateLimitOf(project: { requests_per_second: number | null; burst: number }) {
  const { requests_per_second, burst } = project
  return requests_per_second === null ? null : { requests_per_second, burst }
}

/** The project of a token, as the client sees it. */
export const ProjectSchema = Type.Object(
  {
    id: Type.Integer(),
    name: Type.String(),
    plan: Type.String({ description: 'free, pro or enterprise' }),
    api_access: Type.Boolean(),
    currency: Type.String({ description: 'ISO 4217 code of every price in the project' }),
    rate_limit: RateLimitSchema,
    token: Type.Object(
      { id: Type.Integer(), name: Type.String(), scopes: Type.Array(OneOf([...scopes])) },
      closed,
    ),
  },
  {
    $id: 'Project',
    ...closed,
    examples: [
      {
        id: 1,
        name: 'Demo shop',
        plan: 'pro',
        api_access: true,
        currency: 'EUR',
        rate_limit: { requests_per_second: 100, burst: 200 },
        token: {
          id: 1,
          name: 'API client',
          scopes: [
            'products:read',
            'products:propose',
            'products:write',
            'prompts:read',
            'prompts:write',
            'events:read',
            'webhooks:manage',
          ],
        },
      },
    ],
  },
)
