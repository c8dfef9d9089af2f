/** The first release that writes values and marks of views. */
const firstRelease = [0, 4, 0]

const releaseAtEnd = / (\d+)\.(\d+)\.(\d+)$/

/** Whether a connection belongs to a release without views. The names of the oldest ones have no release. */
export function isOlderRelease(connectionName: string): boolean {
  const found = releaseAtEnd.exec(connectionName)
  if (found === null) return true
  const release = found.slice(1).map(Number)
  const differs = release.findIndex((part, index) => part !== firstRelease[index])
  return differs >= 0 && (release[differs] as number) < (firstRelease[differs] as number)
}
