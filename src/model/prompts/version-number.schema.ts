import { Type } from 'typebox'
import { versionPattern, versionRule } from './version-number.ts'

export const VersionNumber = Type.String({
  pattern: versionPattern,
  description: versionRule,
})
