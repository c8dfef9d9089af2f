import { Type } from 'typebox'
import { closed } from '../platform/http/closed.ts'

/** A project in a list of something else. */
export const NamedProjectSchema = Type.Object({ id: Type.Integer(), name: Type.String() }, closed)
