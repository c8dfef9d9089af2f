import type { AccessRequest } from '../src/access/access-requests/access-request.schema.ts'
import type { ApiAccess } from '../src/access/access-requests/api-access.schema.ts'
import type { AuditEntry } from '../src/access/audit/audit.schema.ts'
import type { OwnCompanyAccount } from '../src/access/company-accounts/company.schema.ts'
import type { Member, MemberInvitation } from '../src/access/members/member.schema.ts'
import type { Notification } from '../src/access/notifications/notification.schema.ts'
import type { OperatorProject } from '../src/access/projects/operator-project.schema.ts'
import type { Passkey, RequiredRoles, Security } from '../src/access/second-factors/second-factor.schema.ts'
import type { OpenSession, Session } from '../src/access/sessions/session.schema.ts'
import type { EntryResult, SignInMethods } from '../src/access/sessions/sign-in.schema.ts'
import type { Token } from '../src/access/tokens/token.schema.ts'
import type { Invitation, InvitedUser } from '../src/access/users/invitation.schema.ts'
import type { IssuedUser, NewUser, User, UserChanges } from '../src/access/users/user.schema.ts'
import type {
  AiProvider,
  AiProviderPut,
  ProviderFindings,
} from '../src/catalog/ai-providers/ai-provider.schema.ts'
import type { Asset } from '../src/catalog/assets/asset.schema.ts'
import type { AttributePreview } from '../src/catalog/attributes/attribute-preview.schema.ts'
import type {
  AttributeSuggestion,
  AttributeSuggestions,
} from '../src/catalog/attributes/attribute-suggestion.schema.ts'
import type { Category, CategoryDetail, ListedCategory } from '../src/catalog/categories/category.schema.ts'
import type { StoredAdjustment } from '../src/catalog/inventory/product-inventory.schema.ts'
import type { DuplicateGroup } from '../src/catalog/products/duplicates/product-duplicates.schema.ts'
import type { ProductChange } from '../src/catalog/products/history/product-history.schema.ts'
import type { Product, SearchMatch } from '../src/catalog/products/product-list.schema.ts'
import type { Outcome } from '../src/catalog/prompts/outcomes/prompt-outcomes.schema.ts'
import type { NewPrompt, Prompt, PromptChanges } from '../src/catalog/prompts/prompt.schema.ts'
import type { PromptLabel, PromptLabelMove } from '../src/catalog/prompts/prompt-label.schema.ts'
import type { NewPromptVersion, PromptVersionDetail } from '../src/catalog/prompts/prompt-version.schema.ts'
import type { LatestVersion, VersionSummary } from '../src/catalog/prompts/version-summary.schema.ts'
import type { Edit } from '../src/catalog/proposals/edits/edit.schema.ts'
import type { Proposal, ProposalLine } from '../src/catalog/proposals/proposal.schema.ts'
import type { QualityPreview, QualityRules } from '../src/catalog/quality/quality-rules.schema.ts'
import type { RenderedPrompt, RenderRequest } from '../src/catalog/rendering/prompt-render.schema.ts'
import type { Run, RunCall } from '../src/catalog/runs/run.schema.ts'
import type { RunCreate, RunPreview } from '../src/catalog/runs/run-create.schema.ts'
import type { ViewInput as MarketInput, View as StoredMarket } from '../src/catalog/views/view.schema.ts'
import type { OperatorWebhook } from '../src/console-api/operator-webhook.schema.ts'
import type { Activity, ActorActivity } from '../src/console-api/overview/overview.schema.ts'
import type { RunModels } from '../src/console-api/run-models/run-models.schema.ts'
import type { SavedView } from '../src/console-api/saved-views/saved-view.schema.ts'
import type { Webhook, WebhookWithSecret } from '../src/delivery/webhooks/webhook.schema.ts'
import type { WebhookTest } from '../src/delivery/webhooks/webhook-action.schema.ts'
import type { WebhookAttempt, WebhookParked } from '../src/delivery/webhooks/webhook-log.schema.ts'
import type { AttributeDefinition } from '../src/model/attributes/attribute-definition.schema.ts'
import type { AttributeValue } from '../src/model/fields/attributes.schema.ts'
import type { MediaItem } from '../src/model/fields/media.schema.ts'
import type { Inventory, ProductDetail } from '../src/model/product/product.schema.ts'
import type { Provenance } from '../src/model/provenance/provenance.schema.ts'
import type { QualityRule, RuleKind, TextField } from '../src/model/quality/quality-rule.schema.ts'
import type { LinkKind } from '../src/model/structure/link-kinds.ts'

/** The types of requests and responses, from the schemas of the service. */
export type {
  AccessRequest,
  Activity,
  ActorActivity,
  AiProvider,
  AiProviderPut,
  ApiAccess,
  Asset,
  AttributeDefinition,
  AttributePreview,
  AttributeSuggestion,
  AttributeSuggestions,
  AttributeValue,
  AuditEntry,
  Category,
  CategoryDetail,
  DuplicateGroup,
  Edit,
  EntryResult,
  Inventory,
  Invitation,
  InvitedUser,
  IssuedUser,
  LatestVersion,
  LinkKind,
  ListedCategory,
  MarketInput,
  MediaItem,
  Member,
  MemberInvitation,
  NewPrompt,
  NewPromptVersion,
  NewUser,
  Notification,
  OpenSession,
  OperatorProject,
  OperatorWebhook,
  Outcome,
  OwnCompanyAccount,
  Passkey,
  Product,
  ProductChange,
  ProductDetail,
  Prompt,
  PromptChanges,
  PromptLabel,
  PromptLabelMove,
  PromptVersionDetail,
  Proposal,
  ProposalLine,
  Provenance,
  ProviderFindings,
  QualityPreview,
  QualityRule,
  QualityRules,
  RenderedPrompt,
  RenderRequest,
  RequiredRoles,
  RuleKind,
  Run,
  RunCall,
  RunCreate,
  RunModels,
  RunPreview,
  SavedView,
  Security,
  Session,
  SignInMethods,
  StoredAdjustment,
  TextField,
  Token,
  User,
  UserChanges,
  VersionSummary,
  Webhook,
  WebhookAttempt,
  WebhookParked,
  WebhookTest,
  WebhookWithSecret,
}

/** A language, a channel or a price list: a view of the API. In the console, a view is a saved list. */
export type Market = StoredMarket
/** How many products have all values that a language or market requires. */
export type MarketProgress = {
  code: string
  products: number
  complete: number
  missing: { field: string; products: number }[]
  stale: number
}
export type Page<Item> = { count: number; next: string | null; previous: string | null; results: Item[] }
/** A row of the product list. */
export type ListedProduct = ProductDetail & { match?: SearchMatch }
export type ProductType = ProductDetail['product_type']
export type ProductStatus = ProductDetail['status']
export type AttributeScalar = Exclude<AttributeValue, unknown[]>
export type RateLimit = NonNullable<OperatorProject['rate_limit']>
export type SessionProject = Session['projects'][number]
export type DayOfUse = ApiAccess['usage'][number]
