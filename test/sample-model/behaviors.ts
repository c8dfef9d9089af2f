/** What the sample model does instead of returning plausible values. */
export const behaviors = [
  /** 429 with Retry-After. */
  '429',
  '500',
  /** Never responds. */
  'hang',
  /** Closes the connection in the middle of the response. */
  'cut',
  'no-usage',
  /** Reports more tokens than the request has bytes. */
  'usage-too-high',
  /** Stops at the token limit, in the middle of the JSON. */
  'length',
  'refusal',
  /** Responds with text instead of JSON. */
  'prose',
  /** Rejects a JSON schema, but supports JSON objects. */
  'schema-refused',
  /** Rejects every response format. */
  'format-refused',
  /** Returns values that the schema does not list. */
  'wrong-enum',
  /** More than 1 MiB. */
  'huge',
  'redirect',
  /** Returns null for every field, as a model does that knows no value. */
  'null',
] as const
export type Behavior = (typeof behaviors)[number] | 'values'

/** The model `sample-429` behaves like `429`; `sample` and all others return values. */
export function behaviorOfModel(model: string): Behavior {
  return behaviors.find((behavior) => model === `sample-${behavior}`) ?? 'values'
}
