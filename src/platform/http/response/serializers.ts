import { SerializerSelector } from '@fastify/fast-json-stringify-compiler'

type Build = ReturnType<typeof SerializerSelector>
type Compile = ReturnType<Build>
type Serialize = ReturnType<Compile>

/** Serializes answers that hold exactly the fields of their shape: the serializer has nothing to leave out, and JSON.stringify is the fastest. */
export const serializeAsIs = () => JSON.stringify

/**
 * One serializer for each shape, made when the first answer of that shape is sent. The routes are mounted several times, and
 * a compiled serializer is large: one for each route and mount would cost memory and time that most of them never earn.
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
      const serialize: Serialize = (answer: unknown) => {
        compiled ??= compile(route)
        return compiled(answer)
      }
      shared.set(key, serialize)
      return serialize
    }) as Compile
  }
}
