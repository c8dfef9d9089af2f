import { SerializerSelector } from '@fastify/fast-json-stringify-compiler'

type Build = ReturnType<typeof SerializerSelector>
type Compile = ReturnType<Build>
type Serialize = ReturnType<Compile>

/** For responses that contain exactly the fields of their schema: there is nothing to omit, and JSON.stringify is fastest. */
export const serializeAsIs = () => JSON.stringify

/**
 * One serializer per schema, compiled for its first response. The routes are mounted several times, and a compiled
 * serializer is large, so one per route and mount would waste memory and time.
 */
export function sharedSerializers(): Build {
  const build = SerializerSelector()
  const shared = new Map<string, Serialize>()

  return (namedShapes, options) => {
    const compile = build(namedShapes, options)
    return ((route) => {
      const { description: _, headers: __, ...shape } = route.schema as Record<string, unknown>
      const key = JSON.stringify(shape)
      const known = shared.get(key)
      if (known !== undefined) return known
      let compiled: Serialize | undefined
      const serialize: Serialize = (value: unknown) => {
        compiled ??= compile(route)
        return compiled(value)
      }
      shared.set(key, serialize)
      return serialize
    }) as Compile
  }
}
