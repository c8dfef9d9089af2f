import { moveDatabase } from '../../src/operations/move/move-database.ts'

const [dataDirectory, databaseUrl = '', killAt] = process.argv.slice(2)

await moveDatabase(dataDirectory, databaseUrl, {
  onStep: (step) => {
    if (step === killAt) process.kill(process.pid, 'SIGKILL')
  },
})
