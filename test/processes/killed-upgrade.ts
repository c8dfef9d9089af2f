import { upgradePostgres } from '../../src/operations/move/upgrade-postgres.ts'

const [dataDirectory, programs = '', killAt] = process.argv.slice(2)

await upgradePostgres(dataDirectory, {
  programs,
  onStep: (step) => {
    if (step === killAt) process.kill(process.pid, 'SIGKILL')
  },
})
