import { openBackup } from '../../src/operations/backup/open-backup.ts'
import { restoreBackup } from '../../src/operations/backup/restore-backup.ts'

const [connection = '{}', file = '', killAt] = process.argv.slice(2)

function dieAt(now: string): void {
  if (now === killAt) process.kill(process.pid, 'SIGKILL')
}

await restoreBackup(JSON.parse(connection), await openBackup(file), {
  report: (line) => dieAt(line.includes('indexes') ? 'indexes' : 'waiting'),
  onProgress: () => dieAt('rows'),
  beforeCommit: async () => dieAt('commit'),
})
