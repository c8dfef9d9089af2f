/** A version number has three parts. This file defines how they are raised and compared. */
export type VersionNumber = readonly [major: number, minor: number, patch: number]

export const bumps = ['major', 'minor', 'patch'] as const
export type Bump = (typeof bumps)[number]

const part = '(0|[1-9][0-9]{0,8})'
export const versionPattern = `^${part}\\.${part}\\.${part}$`
export const versionRule = 'three numbers separated by dots, such as 1.2.0'
const versionShape = new RegExp(versionPattern)

export const firstVersion: VersionNumber = [1, 0, 0]

/** Undefined for anything but three numbers: `1.0`, `01.0.0` and `v1.0.0` are invalid. */
export function parseVersion(text: string): VersionNumber | undefined {
  const [, major, minor, patch] = versionShape.exec(text) ?? []
  return patch === undefined ? undefined : [Number(major), Number(minor), Number(patch)]
}

export function formatVersion(version: VersionNumber): string {
  return version.join('.')
}

/** For sort: negative if the first version is lower. */
export function compareVersions(one: VersionNumber, other: VersionNumber): number {
  return one[0] - other[0] || one[1] - other[1] || one[2] - other[2]
}

export function bumpVersion([major, minor, patch]: VersionNumber, bump: Bump): VersionNumber {
  if (bump === 'major') return [major + 1, 0, 0]
  return bump === 'minor' ? [major, minor + 1, 0] : [major, minor, patch + 1]
}
