import { upgradePostgres } from '../../src/operations/backup/upgrade-postgres.ts'

const [dataDirectory, programs = '', moment] = process.argv.slice(2)

await upgradePostgres(dataDirectory, {
  programs,
  onStep: (step) => {
    if (step === moment) process.kill(process.pid, 'SIGKILL')
  },
})
