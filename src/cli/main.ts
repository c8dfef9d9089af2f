import { run } from './run.ts'

// A reader that closes the pipe, such as head, is no failure; every other error of the output is.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') console.error(`catalog: the output cannot be written: ${error.message}`)
  process.exit(error.code === 'EPIPE' ? 0 : 1)
})

await run(process.argv.slice(2))
