import { restoreBackup } from '../src/backup/restore-backup.ts'

const [connection = '{}', file = '', moment] = process.argv.slice(2)

function dieAt(now: string): void {
  if (now === moment) process.kill(process.pid, 'SIGKILL')
}

await restoreBackup(JSON.parse(connection), file, {
  tell: (line) => dieAt(line.includes('indexes') ? 'indexes' : 'waiting'),
  onProgress: (_bytes, part) => dieAt(part > 0.5 ? 'rows' : 'first rows'),
})
