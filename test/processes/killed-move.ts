import { moveDatabase } from '../../src/operations/backup/move-database.ts'

const [dataDirectory, databaseUrl = '', moment] = process.argv.slice(2)

await moveDatabase(dataDirectory, databaseUrl, {
  onStep: (step) => {
    if (step === moment) process.kill(process.pid, 'SIGKILL')
  },
})
