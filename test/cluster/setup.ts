import pg from 'pg'
import type { Network } from './network.ts'
import { type Node, passwords } from './nodes.ts'
import { findPrimary, whole } from './patroni.ts'
import { until } from './processes.ts'
import { clientUrl, startProxies, startServices } from './services.ts'

/** Three nodes, two proxies and three services, as docs/cluster.md has them. */
export async function setUp(network: Network, nodes: Node[], root: string, tell: (line: string) => void) {
  for (const node of nodes) node.startEtcd()
  await until('etcd', 60, async () => {
    const answer = await fetch(`http://${nodes[0]?.address}:2379/health`)
    return ((await answer.json()) as { health: string }).health === 'true'
  })
  tell('etcd runs')
  for (const node of nodes) node.startPatroni()
  const primary = await until('a primary', 120, () => findPrimary(nodes))
  await whole(nodes)
  tell(`PostgreSQL runs, ${primary.name} is the primary`)
  await makeDatabase(primary)
  await startProxies(network, root)
  const services = startServices(root)
  await services.startAll()
  await until('the proxy for clients', 30, async () => (await fetch(`${clientUrl}/readyz`)).ok)
  tell('three services run')
  return services
}

async function makeDatabase({ address }: Node): Promise<void> {
  const client = new pg.Client({
    host: address,
    user: 'postgres',
    password: passwords.SUPERUSER_PASSWORD,
    database: 'postgres',
  })
  await client.connect()
  await client.query(`create role catalog login password 'catalog-of-the-test'`)
  await client.query('create database catalog owner catalog')
  await client.end()
}
