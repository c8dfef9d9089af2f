import { Type } from 'typebox'
import { closed } from '../../platform/http/closed.ts'

/**
 * A page of the console, without a host: no sign-in leads to another site. Each character matches in one way only, because clients without
 * a session choose the text.
 */
const ownPath = '^/(?:[\\w-]+(?:/[\\w-]+)*/?)?(?:\\?[^\\\\#\\s]*)?$'

export const StartSchema = Type.Object(
  {
    next: Type.Optional(
      Type.String({ pattern: ownPath, maxLength: 2_000, description: 'the page of the console to open' }),
    ),
  },
  closed,
)

export const ProviderPageSchema = Type.Object(
  { url: Type.String({ description: "the address of the provider's sign-in page" }) },
  closed,
)

export const OwnCompanyAccountSchema = Type.Object(
  {
    available: Type.Boolean({ description: 'whether the operator configured a provider' }),
    linked: Type.Boolean(),
    by_groups: Type.Boolean({ description: 'whether groups at the provider decide what users can access' }),
  },
  closed,
)
export type OwnCompanyAccount = Type.Static<typeof OwnCompanyAccountSchema>

export const LinkSchema = Type.Object(
  {
    subject: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 255,
        description: 'the identifier of the person at the provider; by default, the verified email decides',
      }),
    ),
  },
  closed,
)
