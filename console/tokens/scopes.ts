export const scopes = [
  { value: 'products:read', label: 'Read products' },
  { value: 'products:propose', label: 'Propose changes of products' },
  { value: 'products:write', label: 'Write products' },
  { value: 'prompts:read', label: 'Read prompts' },
  { value: 'prompts:write', label: 'Write prompts' },
  { value: 'events:read', label: 'Read events' },
  { value: 'webhooks:manage', label: 'Manage webhooks' },
]
