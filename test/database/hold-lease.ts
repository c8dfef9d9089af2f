import { leaseEmbeddedServer } from '../../src/platform/database/embedded/lease.ts'

await leaseEmbeddedServer(process.argv[2])
console.log('held')
