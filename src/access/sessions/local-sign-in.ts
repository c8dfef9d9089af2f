import type { Database } from '../../platform/database/database.ts'
import { Problem } from '../../platform/http/problems.ts'
import { isLinked } from '../company-accounts/company-account.sql.ts'
import type { CompanySettings } from '../company-accounts/company-settings.ts'
import type { SignInMethods } from './sign-in.schema.ts'

/** `CATALOG_LOCAL_SIGN_IN` and `--allow-local-operator`. */
export type LocalRules = { isOff: boolean; allowsOperators: boolean }

export type LocalSignIn = ReturnType<typeof localSignIn>

/** Who may sign in with a password or a passkey, instead of a company account. */
export function localSignIn(
  database: Database,
  { isOff, allowsOperators }: LocalRules,
  company: CompanySettings | undefined,
) {
  const isPossible = !isOff || allowsOperators
  const off = (detail?: string) => new Problem('local_sign_in_off', detail === undefined ? {} : { detail })
  return {
    methods: {
      password: isPossible,
      passkey: isPossible,
      company: company !== undefined,
      operators_only: isOff && allowsOperators,
    } satisfies SignInMethods,
    /** Before anything is checked, so that passwords cannot be guessed. */
    rejectAll(): void {
      if (!isPossible) throw off()
    },
    /** Groups are read at each sign-in, so users with groups need the company account. Operators can fix the provider's settings. */
    async reject({ user_id, operator }: { user_id: number; operator: boolean }): Promise<void> {
      if (operator) return rejectUnless(isPossible)
      rejectUnless(!isOff)
      if (company?.groups !== undefined && (await isLinked(database, user_id, company.issuer)))
        throw new Problem('company_account_required')
    },
    /** A password or an invitation for a user who could not sign in with it. */
    rejectUseless({ operator }: { operator: boolean }, advice: string): void {
      const isUsable = operator ? isPossible : !isOff
      if (!isUsable) throw off(`Only company accounts can sign in. ${advice}`)
    },
  }

  function rejectUnless(isAllowed: boolean): void {
    if (!isAllowed) throw off()
  }
}
