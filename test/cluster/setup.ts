import pg from 'pg'
import type { Network } from './network.ts'
import { type Node, passwords } from './nodes.ts'
import { findPrimary, healthyCluster } from './patroni.ts'
import { until } from './processes.ts'
import { clientUrl, startProxies, startServices } from './services.ts'

/** Three nodes, two proxies and three services, as in docs/cluster.md. */
export async function setUp(network: Network, nodes: Node[], root: string, log: (line: string) => void) {
  for (const node of nodes) node.startEtcd()
  await until('etcd', 60, async () => {
    const response = await fetch(`http://${nodes[0]?.address}:2379/health`)
    return ((await response.json()) as { health: string }).health === 'true'
  })
  log('etcd runs')
  for (const node of nodes) node.startPatroni()
  const primary = await until('a primary', 120, () => findPrimary(nodes))
  await healthyCluster(nodes)
  log(`PostgreSQL runs, ${primary.name} is the primary`)
  await createDatabase(primary)
  await startProxies(network, root)
  const services = startServices(root)
  await services.startAll()
  await until('the proxy for clients', 30, async () => (await fetch(`${clientUrl}/readyz`)).ok)
  log('three services run')
  return services
}

async function createDatabase({ address }: Node): Promise<void> {
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
