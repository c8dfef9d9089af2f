/** Every error this service can answer with. The OpenAPI document and docs/errors.md are generated from here. */
export const problems = {
  malformed_request: {
    status: 400,
    title: 'Malformed request',
    detail: 'The request does not follow HTTP; check its headers and its address.',
  },
  malformed_json: {
    status: 400,
    title: 'Malformed JSON',
    detail: 'The body is not valid JSON; send one JSON document in UTF-8.',
  },
  invalid_parameters: {
    status: 400,
    title: 'Invalid parameters',
    detail: 'Correct the query parameters named in errors.',
  },
  page_too_large: {
    status: 400,
    title: 'Page too large',
    detail:
      'The items of this page are together over 8 MiB; ask for fewer at once with page_size. GET /products/export sends any number of products.',
  },
  not_authenticated: {
    status: 401,
    title: 'Not authenticated',
    detail: 'Send the header "Authorization: Bearer <API token>".',
  },
  invalid_token: {
    status: 401,
    title: 'Invalid token',
    detail: 'The token is unknown, malformed, expired or revoked; ask the operator for a new one.',
  },
  other_account: {
    status: 401,
    title: 'Another account',
    detail:
      'Another account signed in after this page was opened. Sign in again with the account that opened the page.',
  },
  wrong_credentials: {
    status: 401,
    title: 'Wrong email or password',
    detail: 'Email and password do not belong together; try again, or ask the operator for a new password.',
  },
  api_access_locked: {
    status: 403,
    title: 'API access is locked',
    detail: "The project's plan does not include API access; ask the operator to enable it.",
  },
  insufficient_scope: {
    status: 403,
    title: 'Insufficient scope',
    detail: 'The token lacks the scope that this call needs; ask the operator for a token that has it.',
  },
  insufficient_role: {
    status: 403,
    title: 'Insufficient role',
    detail: 'Your role in the project does not include this; ask the operator for another one.',
  },
  foreign_origin: {
    status: 403,
    title: 'Foreign origin',
    detail: "The console's addresses take writes from its own pages only.",
  },
  metrics_restricted: {
    status: 403,
    title: 'Metrics are restricted',
    detail:
      'Metrics are for clients on the same machine; from elsewhere send the header "Authorization: Bearer <metrics token>".',
  },
  not_found: {
    status: 404,
    title: 'Not found',
    detail: 'There is nothing with this identifier in the project.',
  },
  unknown_route: {
    status: 404,
    title: 'Unknown address',
    detail: 'There is nothing at this address; /docs lists what there is.',
  },
  invalid_page: {
    status: 404,
    title: 'Invalid page',
    detail: 'This page does not exist; follow the next links, or use page=last.',
  },
  method_not_allowed: {
    status: 405,
    title: 'Method not allowed',
    detail: 'This address does not take this method; the Allow header lists those it takes.',
  },
  request_timeout: {
    status: 408,
    title: 'Request timed out',
    detail: 'The request did not arrive in time; send it again.',
  },
  duplicate_sku: {
    status: 409,
    title: 'Duplicate SKU',
    detail: 'The project already has a product with this SKU; its id is in existing_id.',
  },
  duplicate_name: {
    status: 409,
    title: 'Duplicate name',
    detail: 'The project already has one with this name; its id is in existing_id.',
  },
  duplicate_email: {
    status: 409,
    title: 'Duplicate email',
    detail: 'There is an account with this email already; its id is in existing_id.',
  },
  last_operator: {
    status: 409,
    title: 'Last operator',
    detail: 'This is the only operator; make somebody else one first.',
  },
  user_disabled: {
    status: 409,
    title: 'User disabled',
    detail: 'This user is disabled; enable them first.',
  },
  invalid_invitation: {
    status: 404,
    title: 'Invalid invitation',
    detail: 'The link was used, replaced or has expired; ask the operator for a new one.',
  },
  access_request_open: {
    status: 409,
    title: 'Access request open',
    detail: 'The project has asked for API access already; wait for the decision.',
  },
  access_request_decided: {
    status: 409,
    title: 'Access request decided',
    detail: 'This request was decided already.',
  },
  api_access_enabled: {
    status: 409,
    title: 'API access enabled',
    detail: 'The project has API access; there is nothing to ask for.',
  },
  token_already_shown: {
    status: 409,
    title: 'Token already shown',
    detail: 'The token was shown once and is kept nowhere; ask the operator to rotate it.',
  },
  token_ended: {
    status: 409,
    title: 'Token ended',
    detail: 'The token is revoked, expired or replaced; ask the operator for a new one.',
  },
  category_in_use: {
    status: 409,
    title: 'Category in use',
    detail:
      'Products are in this category, categories are below it, or a rule is for it; take them out first, or merge it into another.',
  },
  duplicate_variant: {
    status: 409,
    title: 'Duplicate variant',
    detail: 'Another variant of the parent has the same values of its axes; its id is in existing_id.',
  },
  has_children: {
    status: 409,
    title: 'Product has children',
    detail: 'Variants, components or a bundle depend on the type of this product; take them away first.',
  },
  stock_is_computed: {
    status: 409,
    title: 'Stock is computed',
    detail: 'The stock of this product follows from its variants or components; adjust theirs.',
  },
  insufficient_stock: {
    status: 409,
    title: 'Insufficient stock',
    detail: 'The quantity would fall below zero, and the product takes no backorders.',
  },
  too_many_tokens: {
    status: 409,
    title: 'Too many tokens',
    detail: 'The project has 50 tokens of its own; revoke one that nobody needs.',
  },
  too_many_webhooks: {
    status: 409,
    title: 'Too many webhooks',
    detail: 'The project has 20 webhooks; delete one that nobody needs.',
  },
  webhook_enabled: {
    status: 409,
    title: 'Webhook enabled',
    detail: 'The webhook is enabled already; to get events again, replay them.',
  },
  webhook_disabled: {
    status: 409,
    title: 'Webhook disabled',
    detail: 'The webhook is disabled, and nothing is delivered; enable it, from where you need events.',
  },
  too_many_views: {
    status: 409,
    title: 'Too many views',
    detail: 'You have 50 views in this project; delete one that you do not need.',
  },
  proposal_preparing: {
    status: 409,
    title: 'Proposal is being prepared',
    detail: 'The lines of this proposal are still being made; wait until its state is open.',
  },
  proposal_closed: {
    status: 409,
    title: 'Proposal closed',
    detail: 'This proposal is discarded, expired or failed, or nothing of it was applied; make a new one.',
  },
  too_many_proposals: {
    status: 409,
    title: 'Too many proposals',
    detail: 'The project has 1,000 open proposals; apply or discard some of them first.',
  },
  newer_version: {
    status: 409,
    title: 'Newer version',
    detail:
      'There is a newer version than the one that based_on names; look at it, then name it in based_on.',
  },
  idempotency_in_flight: {
    status: 409,
    title: 'Still in flight',
    detail: 'A request with this Idempotency-Key is still being answered; try again in a moment.',
  },
  feed_restarted: {
    status: 409,
    title: 'Feed restarted',
    detail:
      'The feed of events does not hold this cursor: the database came out of a backup, or the cursor is of another project. Begin with after=0, or copy what there is and read on from the head.',
  },
  cursor_expired: {
    status: 410,
    title: 'Cursor expired',
    detail:
      'The events after this cursor were deleted. Export the catalog and continue from the cursor of the export, or read the remaining events with after=0.',
  },
  precondition_failed: {
    status: 412,
    title: 'Precondition failed',
    detail: 'The product changed since you read it; read it again and repeat the change.',
  },
  body_too_large: {
    status: 413,
    title: 'Body too large',
    detail: 'The body is over the limit of this address, mostly 1 MiB; send less at once.',
  },
  unsupported_media_type: {
    status: 415,
    title: 'Unsupported media type',
    detail: 'Send the body as JSON, with the header "Content-Type: application/json".',
  },
  expectation_failed: {
    status: 417,
    title: 'Expectation failed',
    detail: 'The only expectation this service meets is "100-continue"; leave the Expect header out.',
  },
  unknown_host: {
    status: 421,
    title: 'Unknown host',
    detail:
      'Without --base-url the service answers to names of its own machine alone: localhost, 127.0.0.1 or [::1].',
  },
  invalid_body: {
    status: 422,
    title: 'Invalid body',
    detail: 'Correct the fields named in errors.',
  },
  idempotency_mismatch: {
    status: 422,
    title: 'Idempotency-Key used for another request',
    detail: 'This Idempotency-Key came with another body before; use a new key for a new request.',
  },
  rate_limited: {
    status: 429,
    title: 'Too many requests',
    detail: 'The project is over its rate limit; wait for the seconds in Retry-After.',
  },
  too_many_attempts: {
    status: 429,
    title: 'Too many attempts',
    detail:
      'Too many passwords were tried, one after another or at once; wait for the seconds in Retry-After.',
  },
  headers_too_large: {
    status: 431,
    title: 'Headers too large',
    detail: 'The headers, the address included, are over 16 KiB; send less.',
  },
  internal_error: {
    status: 500,
    title: 'Internal error',
    detail: 'This is our fault; tell the operator the request_id.',
  },
  database_unavailable: {
    status: 503,
    title: 'Database unavailable',
    detail: 'The database is away for the moment; try again after the seconds in Retry-After.',
  },
  outcome_unknown: {
    status: 503,
    title: 'Outcome unknown',
    detail:
      'The database did not confirm this write: it was made, or not. Send it again after the seconds in Retry-After with the same Idempotency-Key, which answers what became of it; without a key, look first.',
  },
  query_timeout: {
    status: 503,
    title: 'Query timed out',
    detail: 'The query took too long; narrow the filters, or try again after the seconds in Retry-After.',
  },
  too_busy: {
    status: 503,
    title: 'Too busy',
    detail:
      'There is no room for this request or its answer beside those of others; read answers to their end, and try again after the seconds in Retry-After.',
  },
  webhooks_off: {
    status: 503,
    title: 'Webhooks are off',
    detail:
      'The service delivers no events, because it cannot keep deliveries out of inner networks; the log says why.',
  },
  console_not_built: {
    status: 503,
    title: 'Console not built',
    detail:
      'The console is not built; run "npm run build" in the folder of the service, then restart the service.',
  },
  not_ready: {
    status: 503,
    title: 'Not ready',
    detail:
      'The service is starting or stopping, or its database takes no writes; try again after the seconds in Retry-After.',
  },
  unsupported_http_version: {
    status: 505,
    title: 'Unsupported HTTP version',
    detail: 'Send the request as HTTP/1.1.',
  },
} as const satisfies Record<string, { status: number; title: string; detail: string }>

export type ProblemCode = keyof typeof problems

/** One fault in what the client sent: where it is, and what to do about it. */
export type BodyFault = { pointer: string; code: string; message: string }
export type Fault = BodyFault | { parameter: string; code: string; message: string }

type ProblemExtras = {
  detail?: string
  errors?: Fault[]
  existing_id?: number
  headers?: Record<string, string>
}

/** Thrown anywhere, answered in one place. */
export class Problem extends Error {
  readonly problemCode: ProblemCode
  readonly extras: ProblemExtras

  constructor(code: ProblemCode, extras: ProblemExtras = {}) {
    super(extras.detail ?? problems[code].detail)
    this.problemCode = code
    this.extras = extras
  }
}

export function notFound(what: string, id: number | string): Problem {
  return new Problem('not_found', { detail: `There is no ${what} ${id} in this project.` })
}
