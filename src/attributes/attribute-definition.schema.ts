import { Type } from 'typebox'

export const AttributeDefinitionSchema = Type.Object(
  { name: Type.String() },
  { $id: 'AttributeDefinition', additionalProperties: false },
)
export type AttributeDefinition = Type.Static<typeof AttributeDefinitionSchema>
