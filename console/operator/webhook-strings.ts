export const strings = {
  webhooks: {
    title: 'Webhooks',
    lead: 'Failing and disabled webhooks in all projects. The service stores their events until it can deliver them.',
    label: 'Failing and disabled webhooks',
    state: 'Webhook state',
    states: { all: 'All', failing: 'Failing', disabled: 'Disabled' },
    empty: 'No failing or disabled webhooks',
    emptyHint: 'Webhooks appear here when deliveries fail.',
    webhook: 'Webhook',
  },
}
