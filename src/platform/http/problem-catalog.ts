/** Every error that the service can return. The OpenAPI document and docs/errors.md are generated from this catalog. */
export const problems = {
  malformed_request: {
    status: 400,
    title: 'Malformed request',
    detail:
      'The request is not valid HTTP, or its URL or body is not encoded correctly. Check the URL, the headers and the compression of the body.',
  },
  malformed_json: {
    status: 400,
    title: 'Malformed JSON',
    detail: 'The body is not valid JSON. Send a single JSON document encoded as UTF-8.',
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
      'The page exceeds 8 MiB, or its products have more than 200,000 changes in total. Request fewer items with page_size. To read all products, use GET /products/export.',
  },
  not_authenticated: {
    status: 401,
    title: 'Not authenticated',
    detail: 'Send the header "Authorization: Bearer <API token>".',
  },
  invalid_token: {
    status: 401,
    title: 'Invalid token',
    detail: 'The token is unknown, malformed, expired or revoked. Ask the operator for a new one.',
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
    detail: 'The email or password is incorrect. Try again, or ask the operator to reset your password.',
  },
  app_unreadable: {
    status: 409,
    title: 'Authenticator app no longer works',
    detail:
      'The service can no longer check the codes of your authenticator app. Use a recovery code or a passkey, then set up the app again. Or ask the operator to reset your second factor.',
  },
  wrong_code: {
    status: 401,
    title: 'Wrong code',
    detail:
      'The code is incorrect, has expired or was already used. Enter a new code, or use another second factor.',
  },
  wrong_passkey: {
    status: 401,
    title: 'Passkey not accepted',
    detail:
      'The passkey is unknown, belongs to another account, or its response has expired. Try again, or sign in another way.',
  },
  sign_in_expired: {
    status: 401,
    title: 'Sign-in expired',
    detail: 'The sign-in took too long, or the account changed meanwhile. Sign in again from the beginning.',
  },
  company_sign_in_failed: {
    status: 401,
    title: 'Company sign-in failed',
    detail:
      'The response of the identity provider is invalid, has expired or was already used. Start the sign-in again.',
  },
  local_sign_in_off: {
    status: 403,
    title: 'Sign-in with a password is off',
    detail: 'The operator allows only company accounts. Sign in with your company account.',
  },
  company_account_required: {
    status: 403,
    title: 'Company account required',
    detail: 'Your groups at the company determine what you can access. Sign in with your company account.',
  },
  company_account_not_linked: {
    status: 403,
    title: 'Company account not linked',
    detail:
      'An account with this email exists, but is not linked. Sign in with your password and link the company account on the account page. Or ask the operator to link it.',
  },
  company_email_unverified: {
    status: 403,
    title: 'Email not verified',
    detail:
      'The identity provider did not confirm that the email address is yours. Verify it there, then sign in again.',
  },
  no_company_access: {
    status: 403,
    title: 'No access',
    detail: 'Your company account has no access to this service. Ask the operator for access.',
  },
  second_factor_required: {
    status: 403,
    title: 'Second factor required',
    detail:
      'Your role requires a second factor. Set up an authenticator app or a passkey on the account page, then try again.',
  },
  reauthentication_required: {
    status: 403,
    title: 'Sign in again',
    detail: 'Your sign-in is too old for this change. Sign out, sign in again, then repeat the change.',
  },
  api_access_locked: {
    status: 403,
    title: 'API access is locked',
    detail: "The project's plan does not include API access. Ask the operator to enable it.",
  },
  insufficient_scope: {
    status: 403,
    title: 'Insufficient scope',
    detail:
      'The token does not have the scope that this request requires. Ask the operator for a token that has it.',
  },
  insufficient_role: {
    status: 403,
    title: 'Insufficient role',
    detail:
      'Your role in the project does not allow this action. Ask a manager of the project for a different role.',
  },
  foreign_origin: {
    status: 403,
    title: 'Foreign origin',
    detail: "The console API accepts writes only from the console's own pages.",
  },
  metrics_restricted: {
    status: 403,
    title: 'Metrics are restricted',
    detail:
      'Without a token, only clients on the same machine can read metrics. Send the header "Authorization: Bearer <metrics token>".',
  },
  not_found: {
    status: 404,
    title: 'Not found',
    detail: 'The project has no resource with this identifier.',
  },
  unknown_route: {
    status: 404,
    title: 'Unknown route',
    detail: 'This route does not exist. See /docs for all routes.',
  },
  invalid_page: {
    status: 404,
    title: 'Invalid page',
    detail: 'This page does not exist. Follow the next links, or use page=last.',
  },
  method_not_allowed: {
    status: 405,
    title: 'Method not allowed',
    detail: 'This route does not support this method. The Allow header lists the supported methods.',
  },
  request_timeout: {
    status: 408,
    title: 'Request timed out',
    detail: 'The request did not arrive completely in time. Send it again.',
  },
  duplicate_sku: {
    status: 409,
    title: 'Duplicate SKU',
    detail: 'The project already has a product with this SKU. Its ID is in existing_id.',
  },
  duplicate_name: {
    status: 409,
    title: 'Duplicate name',
    detail: 'The project already has a resource with this name. Its ID is in existing_id.',
  },
  duplicate_email: {
    status: 409,
    title: 'Duplicate email',
    detail: 'An account with this email already exists. Its ID is in existing_id.',
  },
  last_operator: {
    status: 409,
    title: 'Last operator',
    detail: 'This user is the only operator. Grant operator rights to another user first.',
  },
  last_manager: {
    status: 409,
    title: 'Last manager',
    detail: 'This member is the only manager of the project. Make another member a manager first.',
  },
  own_membership: {
    status: 409,
    title: 'Own membership',
    detail: 'You cannot change your own membership. Ask another manager.',
  },
  already_member: {
    status: 409,
    title: 'Already a member',
    detail: 'This person is already a member of the project. Change the role instead.',
  },
  too_many_members: {
    status: 409,
    title: 'Too many members',
    detail:
      'The project has 500 members and open invitations, which is the limit. Remove a member or revoke an invitation first.',
  },
  too_many_invitations: {
    status: 409,
    title: 'Too many invitations',
    detail:
      'Managers have created 30 invitations in the last hour, which is the limit per project. Try again later.',
  },
  invitation_needs_sign_in: {
    status: 409,
    title: 'Invitation needs a sign-in',
    detail: 'This email has an account. Sign in with it to accept the invitation.',
  },
  invitation_of_other: {
    status: 403,
    title: 'Invitation of another account',
    detail: 'The invitation is for another email. Sign in with that account to accept it.',
  },
  too_many_passkeys: {
    status: 409,
    title: 'Too many passkeys',
    detail: 'You have 20 passkeys. Remove one that you no longer use, then add the new one.',
  },
  company_account_taken: {
    status: 409,
    title: 'Company account in use',
    detail: 'This company account is linked to another user. Unlink it there first.',
  },
  company_sign_in_off: {
    status: 409,
    title: 'No identity provider',
    detail: 'The operator has not configured an identity provider.',
  },
  second_factor_exists: {
    status: 409,
    title: 'Second factor exists',
    detail: 'This authenticator app or passkey is already set up. Remove it first.',
  },
  user_disabled: {
    status: 409,
    title: 'User disabled',
    detail: 'This user is disabled. Enable the user first.',
  },
  invalid_invitation: {
    status: 404,
    title: 'Invalid invitation',
    detail: 'The link was already used, was replaced or has expired. Ask for a new one.',
  },
  access_request_open: {
    status: 409,
    title: 'Access request open',
    detail: 'The project has already requested API access. Wait for the decision.',
  },
  access_request_decided: {
    status: 409,
    title: 'Access request decided',
    detail: 'This access request has already been decided.',
  },
  api_access_enabled: {
    status: 409,
    title: 'API access enabled',
    detail: 'The project already has API access.',
  },
  token_already_shown: {
    status: 409,
    title: 'Token already shown',
    detail: 'The token is shown only once and is not stored. Ask the operator to rotate it.',
  },
  token_ended: {
    status: 409,
    title: 'Token ended',
    detail: 'The token is revoked, expired or replaced. Ask the operator for a new one.',
  },
  category_in_use: {
    status: 409,
    title: 'Category in use',
    detail:
      'The category has products or subcategories, or an attribute definition or quality rule refers to it. Remove these references first, or merge the category into another one.',
  },
  duplicate_variant: {
    status: 409,
    title: 'Duplicate variant',
    detail: 'Another variant of the parent has the same axis values. Its ID is in existing_id.',
  },
  view_limit: {
    status: 409,
    title: 'Too many views',
    detail: 'The project has 50 views, which is the limit. Delete a view that you no longer need.',
  },
  view_in_use: {
    status: 409,
    title: 'View is in use',
    detail:
      'Products have values in this view, or another view falls back to it. Remove these values and fallbacks first.',
  },
  view_marking: {
    status: 409,
    title: 'Views are being checked',
    detail:
      'A view has changed, and the service has not checked all products against it yet. The field marked shows the progress. Try again later.',
  },
  view_has_prices: {
    status: 409,
    title: 'View has prices',
    detail:
      'The currency of a view cannot change while products have prices in the view. Remove the prices, or define another view.',
  },
  view_currency_changed: {
    status: 409,
    title: 'Currency of a view changed',
    detail:
      'The currency of a view has changed since the price was set or proposed, or the view was deleted. Check the price, then set it again or repeat the request.',
  },
  older_release: {
    status: 409,
    title: 'Older release is connected',
    detail:
      'An older release of the service is connected to the database and would ignore views. Upgrade or stop it, then try again.',
  },
  has_children: {
    status: 409,
    title: 'Product has children',
    detail:
      'The product type cannot change while variants, components or bundles depend on it. Remove these relations first.',
  },
  stock_is_computed: {
    status: 409,
    title: 'Stock is computed',
    detail:
      'The stock of this product is computed from its variants or components. Adjust their stock instead.',
  },
  insufficient_stock: {
    status: 409,
    title: 'Insufficient stock',
    detail: 'The quantity would fall below zero, and the product does not allow backorders.',
  },
  too_many_tokens: {
    status: 409,
    title: 'Too many tokens',
    detail:
      'The project has 50 self-service tokens, which is the limit. Revoke a token that is no longer needed.',
  },
  too_many_webhooks: {
    status: 409,
    title: 'Too many webhooks',
    detail: 'The project has 20 webhooks, which is the limit. Delete a webhook that is no longer needed.',
  },
  too_many_providers: {
    status: 409,
    title: 'Too many AI providers',
    detail:
      'The project has 10 AI providers, which is the limit. Delete a provider that is no longer needed.',
  },
  provider_offered: {
    status: 409,
    title: 'Provider offered by the operator',
    detail: 'The operator offers this provider, so only the operator can remove or test it.',
  },
  key_unreadable: {
    status: 409,
    title: 'Key unreadable',
    detail: 'The service cannot decrypt the key of the provider. Send the key again with PUT.',
  },
  webhook_enabled: {
    status: 409,
    title: 'Webhook enabled',
    detail: 'The webhook is already enabled. To receive events again, replay them.',
  },
  webhook_disabled: {
    status: 409,
    title: 'Webhook disabled',
    detail:
      'The webhook is disabled and receives no events. Enable it, starting from the event that you need.',
  },
  too_many_views: {
    status: 409,
    title: 'Too many views',
    detail: 'You have 50 views in this project, which is the limit. Delete a view that you no longer need.',
  },
  too_many_shared_views: {
    status: 409,
    title: 'Too many shared views',
    detail: 'The project has 100 shared views, which is the limit. Delete one that no one needs.',
  },
  proposal_preparing: {
    status: 409,
    title: 'Proposal is being prepared',
    detail: "The proposal's lines are still being prepared. Wait until its state is open.",
  },
  proposal_closed: {
    status: 409,
    title: 'Proposal closed',
    detail:
      'A discarded, expired or failed proposal cannot be applied. A proposal that changed no product cannot be reverted. Create a new proposal.',
  },
  line_closed: {
    status: 409,
    title: 'Line closed',
    detail:
      'You can edit only open lines and lines in conflict. To change the product, edit it, or create a new proposal.',
  },
  too_many_proposals: {
    status: 409,
    title: 'Too many proposals',
    detail: 'The project has 1,000 open proposals, which is the limit. Apply or discard some of them first.',
  },
  too_many_runs: {
    status: 409,
    title: 'Too many runs',
    detail: 'The project has 20 unfinished runs, which is the limit. Wait until one ends, or cancel one.',
  },
  run_state: {
    status: 409,
    title: 'Wrong run state',
    detail: 'The state of the run does not allow this action. Read the run to see its state.',
  },
  no_provider: {
    status: 409,
    title: 'No AI provider',
    detail:
      'The AI provider does not exist, is disabled, or has a key that the service cannot decrypt. Connect a provider first.',
  },
  storage_full: {
    status: 409,
    title: 'Storage full',
    detail:
      'The project would exceed the storage of its plan. Delete files that you no longer need, or ask the operator for more storage.',
  },
  asset_in_use: {
    status: 409,
    title: 'Asset in use',
    detail:
      'A product shows this asset or showed it in the past, or an open proposal names it. For legal reasons, a manager can erase it in the console.',
  },
  newer_version: {
    status: 409,
    title: 'Newer version',
    detail:
      'A newer version exists than the one in based_on. Read the newer version, then send its number in based_on.',
  },
  idempotency_in_flight: {
    status: 409,
    title: 'Request in progress',
    detail: 'A request with this Idempotency-Key is still in progress. Try again after it completes.',
  },
  feed_restarted: {
    status: 409,
    title: 'Feed restarted',
    detail:
      "The event feed does not contain this cursor: the database was restored, moved or upgraded, or the cursor belongs to another project. Export the catalog and continue from the export's cursor, or read all events with after=0.",
  },
  cursor_expired: {
    status: 410,
    title: 'Cursor expired',
    detail:
      "The events after this cursor were deleted. Export the catalog and continue from the export's cursor, or read the remaining events with after=0.",
  },
  asset_erased: {
    status: 410,
    title: 'Asset erased',
    detail: 'The bytes of this asset were permanently removed.',
  },
  precondition_failed: {
    status: 412,
    title: 'Precondition failed',
    detail: 'The product or proposal has changed since you read it. Read it again, then repeat the change.',
  },
  body_too_large: {
    status: 413,
    title: 'Body too large',
    detail:
      'The body exceeds the limit of this route, which is usually 1 MiB. Split the request into smaller ones.',
  },
  unsupported_media_type: {
    status: 415,
    title: 'Unsupported media type',
    detail:
      'Send the body as JSON in UTF-8, with the header "Content-Type: application/json", uncompressed or with gzip. Pushes and proposals also accept NDJSON (application/x-ndjson).',
  },
  range_not_satisfiable: {
    status: 416,
    title: 'Range not satisfiable',
    detail: 'The file ends before the requested range. The Content-Range header contains its size.',
  },
  expectation_failed: {
    status: 417,
    title: 'Expectation failed',
    detail: 'The service supports no expectation other than "100-continue". Remove the Expect header.',
  },
  unknown_host: {
    status: 421,
    title: 'Unknown host',
    detail:
      'Without --base-url or --behind-proxy, the service accepts only requests to localhost, 127.0.0.1 or [::1].',
  },
  invalid_body: {
    status: 422,
    title: 'Invalid body',
    detail: 'Correct the fields named in errors.',
  },
  type_mismatch: {
    status: 422,
    title: 'Type mismatch',
    detail: 'The content of the file does not match its Content-Type header.',
  },
  too_many_pixels: {
    status: 422,
    title: 'Too many pixels',
    detail: 'The image has more than 50 megapixels. Reduce its size.',
  },
  not_reachable: {
    status: 422,
    title: 'Not reachable',
    detail:
      'The service could not fetch a file from this URL. The URL must use https, be on the public internet, and return the file within 30 seconds.',
  },
  idempotency_mismatch: {
    status: 422,
    title: 'Idempotency-Key used for another request',
    detail: 'This Idempotency-Key was already used with a different body. Use a new key for a new request.',
  },
  rate_limited: {
    status: 429,
    title: 'Too many requests',
    detail:
      'The project, user or address has exceeded its rate limit, or too many requests wait for events. Wait for the number of seconds in Retry-After.',
  },
  too_many_attempts: {
    status: 429,
    title: 'Too many attempts',
    detail:
      'There were too many attempts to sign in, to change a password or to use an invitation. Wait for the number of seconds in Retry-After.',
  },
  headers_too_large: {
    status: 431,
    title: 'Headers too large',
    detail: 'The request line and headers exceed 16 KiB in total. Send shorter headers or a shorter URL.',
  },
  internal_error: {
    status: 500,
    title: 'Internal error',
    detail: 'An unexpected error occurred in the service. Report the request_id to the operator.',
  },
  company_sign_in_unavailable: {
    status: 503,
    title: 'Identity provider unavailable',
    detail: 'The identity provider does not respond. Try again in a few minutes.',
  },
  database_unavailable: {
    status: 503,
    title: 'Database unavailable',
    detail: 'The database is temporarily unavailable. Try again after the number of seconds in Retry-After.',
  },
  outcome_unknown: {
    status: 503,
    title: 'Outcome unknown',
    detail:
      'The database did not confirm this write, so it may or may not have been applied. After the number of seconds in Retry-After, repeat the request with the same Idempotency-Key. PATCH, PUT, DELETE, a push, a category merge and applying a proposal need no key. Before you repeat any other request without a key, check whether the change was applied.',
  },
  query_timeout: {
    status: 503,
    title: 'Query timed out',
    detail:
      'The query took too long. Narrow the filters, or try again after the number of seconds in Retry-After.',
  },
  too_busy: {
    status: 503,
    title: 'Too busy',
    detail:
      'The service has no capacity for this request or its response. Read pending responses completely, then try again after the number of seconds in Retry-After.',
  },
  media_unavailable: {
    status: 503,
    title: 'Media unavailable',
    detail:
      'The service has no store for media files, or cannot use it at present. The service log and "catalog doctor" give the reason.',
  },
  webhooks_off: {
    status: 503,
    title: 'Webhooks are off',
    detail:
      'The service cannot deliver events, because it cannot block deliveries to private networks. The service log gives the reason.',
  },
  console_not_built: {
    status: 503,
    title: 'Console not built',
    detail:
      'The console is not built. Run "npm run build" in the service\'s folder, then restart the service.',
  },
  not_ready: {
    status: 503,
    title: 'Not ready',
    detail:
      'The service is starting or stopping, or its database does not accept writes. Try again after the number of seconds in Retry-After.',
  },
  unsupported_http_version: {
    status: 505,
    title: 'Unsupported HTTP version',
    detail: 'Send the request as HTTP/1.1.',
  },
} as const satisfies Record<string, { status: number; title: string; detail: string }>

export type ProblemCode = keyof typeof problems
