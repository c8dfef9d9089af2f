export type ProviderKind = 'openai-compatible' | 'anthropic' | 'google'
