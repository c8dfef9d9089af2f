export const strings = {
  yes: 'yes',
  no: 'no',
  none: 'none',
  unlimited: 'unlimited',
  project: (id: unknown) => `project ${id}`,
  /** Names of details. Others are shown with their own name. */
  details: {
    memberships: 'Projects',
    project_ids: 'Projects',
    operator: 'Operator',
    storage_bytes: 'Storage',
    api_access: 'API access',
    rate_limit: 'Rate limit',
    self_service_tokens: 'Self-service tokens',
    expires_at: 'Expires',
    sessions: 'Ended sessions',
    token_shown: 'Token shown to the operator',
    last_error: 'Last error',
    failing_since: 'Failing since',
  } as Record<string, string>,
}
