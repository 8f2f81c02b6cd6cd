import { examine } from '../../app/doctor/doctor.ts'
import type { Result } from '../../app/doctor/run-checks.ts'
import { loadConfig } from '../../config/config.ts'
import { systemClock } from '../../core/time/clock.ts'
import { SECOND_MS } from '../../core/time/time.ts'
import { USAGE_EXIT } from '../terminal/exit-code.ts'
import { parseOptions } from '../terminal/parse-options.ts'
import { type Fault, runCommand } from '../terminal/run-command.ts'
import { toJson, toLines, toSummary } from './doctor-lines.ts'

const DEFAULT_TIMEOUT_S = 10
const MAX_TIMEOUT_S = 120

const HELP = `usage: tollbook doctor [--only <name>]... [--timeout <seconds>] [--strict] [--json]

Checks everything that the configured mode needs, one line each: what is wrong and what to do. The service may be
running or not; nothing is started, changed, made or ordered. In sandbox mode the outside world is simulated inside
the service, so what this machine needs for it is checked and, where the service runs, its /health is asked, also
for the sources of intelligence (--only tokens, sentiment, futures, whales, directory, writer).

  --only     one check or group by its name, as the lines tell it; may be repeated
  --timeout  for each check, 1 to ${MAX_TIMEOUT_S} (${DEFAULT_TIMEOUT_S})
  --strict   a warning counts as a failure
  --json     one JSON object instead of lines

Ends with 0 where all is well, with 1 where a check failed, with 2 where the command line is wrong.
`

export async function run(args: string[]): Promise<void> {
  await runCommand(HELP, parse(args), doctor)
}

type Options = { only: readonly string[]; timeoutMs: number; isStrict: boolean; isJson: boolean }

function parse(args: string[]): Options | 'help' | Fault {
  const options = {
    only: { type: 'string', multiple: true },
    timeout: { type: 'string', default: String(DEFAULT_TIMEOUT_S) },
    strict: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  } as const
  return parseOptions(args, { options }, ({ values }) => {
    const { only = [], timeout, strict: isStrict, json: isJson } = values
    const seconds = /^\d{1,3}$/.test(timeout) ? Number(timeout) : 0
    if (seconds < 1 || seconds > MAX_TIMEOUT_S)
      return {
        fault: `--timeout ${JSON.stringify(timeout)} must be a whole number of seconds from 1 to ${MAX_TIMEOUT_S}`,
      }
    return { only, timeoutMs: seconds * SECOND_MS, isStrict, isJson }
  })
}

async function doctor({ only, timeoutMs, isStrict, isJson }: Options): Promise<void> {
  const examined = examine({ load: loadConfig, clock: systemClock, timeoutMs, only })
  if ('unknown' in examined) {
    process.stderr.write(
      `tollbook: ${JSON.stringify(examined.unknown)} is no check of this mode: ${examined.names.join(', ')}\n`,
    )
    process.exitCode = USAGE_EXIT
    return
  }
  const results: Result[] = []
  for await (const result of examined.results) {
    results.push(result)
    if (!isJson) process.stdout.write(toLines(result))
  }
  process.stdout.write(isJson ? toJson(results, examined.mode) : toSummary(results))
  const isIll = results.some(({ state }) => state === 'failure' || (isStrict && state === 'warning'))
  process.exitCode = isIll ? 1 : 0
}
