import { run } from './run.ts'

// A reader such as head may close the pipe early. Every other output error is a failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') console.error(`catalog: cannot write the output: ${error.message}`)
  process.exit(error.code === 'EPIPE' ? 0 : 1)
})

await run(process.argv.slice(2))
