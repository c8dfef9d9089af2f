export const plans = [
  { value: 'free', label: 'Free: no API access' },
  { value: 'pro', label: 'Pro: API, 100 requests a second' },
  { value: 'enterprise', label: 'Enterprise: API, 1,000 requests a second' },
]

export const accessWords = [
  { value: 'plan', label: 'As the plan says' },
  { value: 'on', label: 'On, whatever the plan says' },
  { value: 'off', label: 'Off, whatever the plan says' },
]

export const limitKinds = [
  { value: 'plan', label: 'As the plan says' },
  { value: 'none', label: 'No limit' },
  { value: 'own', label: 'A number of its own' },
]
