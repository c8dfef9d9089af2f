import type { Client } from '../client.ts'

/** `key` is the proposal of the version, or its name. */
type Version = { version: number; name: string; key: string }

/** The versions of a product, from its history. */
export async function readVersions(client: Client, id: number): Promise<Version[]> {
  const versions: Version[] = []
  for (let page = 1; ; page += 1) {
    const found = await client.read(`/v2/products/${id}/history?page_size=500&page=${page}`, {})
    for (const { version, after, proposal } of found?.response.body.results ?? [])
      versions.push({
        version,
        name: after.name,
        key: proposal === null ? after.name : `proposal ${proposal}`,
      })
    if (found !== undefined && found.response.body.next === null) return versions
    if (found === undefined) page -= 1
  }
}
