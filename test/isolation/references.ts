import type { RequestInput } from './request-inputs.ts'

/** What an input refers to. */
export type Kind =
  | 'products'
  | 'categories'
  | 'prompts'
  | 'proposals'
  | 'runs'
  | 'webhooks'
  | 'project'
  | 'views'
  | 'tokens'
  | 'sku'
  | 'new sku'
  | 'label'
  | 'version'
  | 'attribute'
  | 'view code'
  | 'key'
  | 'tag'

/** The kind of each input; `noun` is the first word of the path. An entry for one operation takes precedence. */
const kinds: Record<string, Kind | 'noun'> = {
  'path id': 'noun',
  'path view_id': 'views',
  'path token_id': 'tokens',
  'path sku': 'sku',
  'PUT /products/by-sku/{sku} path sku': 'new sku',
  'path name': 'attribute',
  'path code': 'view code',
  'query view': 'view code',
  'query views': 'view code',
  'path label': 'label',
  'path version_number': 'version',
  'query project': 'project',
  'query id__in': 'noun',
  'query parent': 'noun',
  'query parent_sku': 'sku',
  'query category': 'categories',
  'query category__in': 'categories',
  'query category__under': 'categories',
  'query component': 'products',
  'query linked_to': 'products',
  'query written_by_prompt': 'prompts',
  'query prompt__in': 'prompts',
  'query sku': 'sku',
  'query sku__in': 'sku',
  'query label': 'label',
  'header Idempotency-Key': 'key',
  'header If-Match': 'tag',
  'header If-None-Match': 'tag',
  'body /sku': 'new sku',
  'body /categories/*': 'categories',
  'body /categories/*/id': 'categories',
  'body /parent': 'categories',
  'body /parent/id': 'products',
  'body /parent/sku': 'sku',
  'body /components/*/id': 'products',
  'body /components/*/sku': 'sku',
  'body /links/related/*/id': 'products',
  'body /links/related/*/sku': 'sku',
  'body /links/upsell/*/id': 'products',
  'body /links/upsell/*/sku': 'sku',
  'body /links/cross_sell/*/id': 'products',
  'body /links/cross_sell/*/sku': 'sku',
  'body /provenance/prompt_id': 'prompts',
  'body /rules/*/categories/*': 'categories',
  'body /required_for/categories/*': 'categories',
  'body /attributes/*/required_for/categories/*': 'categories',
  'body /into': 'categories',
  'body /product_id': 'products',
  'POST /prompts/{id}/render body /label': 'label',
  'POST /prompts/{id}/render body /version_number': 'version',
  'PUT /prompts/{id}/labels/{label} body /version_number': 'version',
  'POST /prompts/{id}/runs body /label': 'label',
  'POST /prompts/{id}/runs body /version_number': 'version',
  'POST /prompts/{id}/runs body /products/*': 'products',
  'body /filter': 'categories',
  'body /edits/*/value': 'categories',
  // Read-only fields are compared with the object in the URL only.
  'body /id': 'noun',
  'body /project': 'project',
  'body /proposal': 'proposals',
  'body /inventory/limited_by/id': 'products',
  'body /inventory/limited_by/sku': 'sku',
  'body /added_rules/*/categories/*': 'categories',
}

/** Places that only look like a reference, or that another test covers, with the reason. */
const excluded: Record<string, string> = {
  'path project_id':
    'test/every-console-route.test.ts compares each route with a project that does not exist',
  'POST /console/api/notifications/read body /ids/*':
    'src/access/notifications/notification.test.ts: a user cannot mark the notifications of another user as read',
  'POST /console/api/notifications/read body /up_to':
    'src/access/notifications/notification.test.ts: a user cannot mark the notifications of another user as read',
  'PATCH /console/api/projects/{project_id}/members/{user_id} path user_id':
    'src/access/members/members.test.ts: a manager cannot reach members of other projects',
  'DELETE /console/api/projects/{project_id}/members/{user_id} path user_id':
    'src/access/members/members.test.ts: a manager cannot reach members of other projects',
  'DELETE /console/api/projects/{project_id}/members/invitations/{invitation_id} path invitation_id':
    'src/access/members/members.test.ts: a manager cannot revoke an invitation of another project',
  'POST /console/api/account/passkeys body /credential/id':
    'the browser chooses it, and src/access/second-factors/passkey.routes.ts stores it for the own user',
  'POST /console/api/sessions/{id}/end path id':
    'src/access/users/end-access.test.ts: a user cannot end the session of another user',
  'POST /console/api/projects/{project_id}/imports/finished body /proposals/*':
    'src/console-api/imports/import-end.test.ts: only own proposals of the project are accepted',
  'POST /webhooks/{id}/parked/retry body /ids/*':
    'src/delivery/webhooks/webhooks.test.ts: ids of other webhooks retry nothing',
  'path line': 'a line of the proposal in the path',
  'PUT /ai-providers/{name} body /models/*/max_output_tokens': 'a number of tokens',
  'PUT /ai-providers/{name} body /key': 'the key of an API elsewhere',
  'PUT /ai-providers/{name} body /has_key': 'a boolean',
  'query parent__isnull': 'a boolean',
  'body /view': 'read-only, and never equal, because a product without `view` does not have it',
  'query read_only': 'compare or ignore',
  'query match': 'exact or close',
  'body /products': 'a read-only count of products',
  'body /progress/products': 'an ignored count of products',
}

const operatorRoutes = '/console/api/operator/'
const signInRoutes = '/console/auth/'

export function operationName({ operation: { method, path } }: RequestInput): string {
  return `${method} ${path}`
}

/** Operators see all projects, and sign-in routes belong to none. */
export function isExcluded(input: RequestInput): boolean {
  const { path } = input.operation
  if (path.startsWith(operatorRoutes) || path.startsWith(signInRoutes)) return true
  if (input.where === 'header Idempotency-Key' && changesState.test(operationName(input))) return true
  return `${operationName(input)} ${input.where}` in excluded || input.where in excluded
}

/** The first request changes the result of the second; src/platform/http/request/idempotency.test.ts covers these routes. */
const changesState = /^POST .*\/webhooks\/\{id\}\/(disable|enable)$/

export function referenceKindOf(input: RequestInput): Kind | undefined {
  if (input.where === 'header Idempotency-Key' && changesState.test(operationName(input))) return undefined
  // The patch of a proposal line names objects like the body of a product.
  const where = input.where.replace('body /patch/', 'body /')
  const kind = kinds[`${operationName(input)} ${input.where}`] ?? kinds[where]
  if (kind !== 'noun') return kind
  return input.operation.path.replace('/console/api/projects/{project_id}', '').split('/')[1] as Kind
}
