import { run } from './run.ts'

// A reader that has seen enough is no failure; anything else that keeps the output from being written is.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') console.error(`catalog: the output cannot be written: ${error.message}`)
  process.exit(error.code === 'EPIPE' ? 0 : 1)
})

await run(process.argv.slice(2))
