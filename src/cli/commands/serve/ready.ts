import { type Command, InvalidArgumentError } from 'commander'
import { type Config, environmentWithoutSecrets } from '../../../config.ts'
import { isAlive } from '../../../platform/database/embedded/process.ts'
import { readInteger } from '../../../platform/http/query/query-values.ts'
import { repeat } from '../../../platform/scheduling/retry.ts'
import { askReady, type Readiness } from '../../ask-ready.ts'
import { command } from '../../command.ts'
import { commandLimits } from '../../limits.ts'
import { addServeOptions, type ServeOptions, serveConfig } from './serve-options.ts'

const polling = { pauses: [250] }

type Options = ServeOptions & { wait?: number; process?: number }

export function readyCommand(): Command {
  return addServeOptions(command('ready', 'Check whether the running service accepts requests'))
    .option('--wait <seconds>', 'Retry for up to this many seconds (default: check once)', parseSeconds)
    .option('--process <pid>', 'Stop waiting when this process exits', parseProcess)
    .addHelpText(
      'after',
      `
The command takes the same settings as serve and requests /readyz. Each check takes up to 3 seconds.
The exit code is 0 if the service is ready, and 1 if it is not.

Examples:
  catalog ready
  catalog ready --port 8443 --tls self-signed --wait 60`,
    )
    .action(async (options: Options) => {
      const config = serveConfig(options, environmentWithoutSecrets())
      const { ready, url, detail } = await untilReady(config, options)
      if (options.json === true) console.log(JSON.stringify({ ready, url, detail }))
      else if (ready) console.log(`ready: ${url}`)
      else console.error(`catalog: not ready: ${url}: ${detail}`)
      if (!ready) process.exitCode = 1
    })
}

async function untilReady(config: Config, { wait = 0, process: pid }: Options): Promise<Readiness> {
  let last: Readiness | undefined
  const found = await repeat({ ...polling, withinMilliseconds: wait * 1000 }, async () => {
    last = await askReady(config)
    if (last.ready) return last
    return pid === undefined || isAlive(pid) ? undefined : { ...last, detail: `process ${pid} has exited` }
  })
  return found ?? (last as Readiness)
}

function parseSeconds(text: string): number {
  const seconds = readInteger(text)
  if (seconds === undefined || seconds > commandLimits.readyWaitSeconds)
    throw new InvalidArgumentError(`Use a whole number of seconds up to ${commandLimits.readyWaitSeconds}.`)
  return seconds
}

function parseProcess(text: string): number {
  const pid = readInteger(text)
  if (pid === undefined || pid === 0) throw new InvalidArgumentError('Use a process ID.')
  return pid
}
