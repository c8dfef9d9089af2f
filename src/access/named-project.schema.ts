import { Type } from 'typebox'
import { closed } from '../platform/http/closed.ts'

/** A reference to a project. */
export const NamedProjectSchema = Type.Object({ id: Type.Integer(), name: Type.String() }, closed)
