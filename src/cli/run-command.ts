import { ConfigError } from '../config/config.ts'
import { USAGE_EXIT } from './exit-code.ts'

/** What is wrong with the options. */
export type Fault = { fault: string }

/** Runs a command: wrong options print the help and exit 2, a failure prints one line and exits 1. */
export async function runCommand<Options extends object>(
  help: string,
  options: Options | 'help' | Fault,
  work: (options: Options) => Promise<void>,
): Promise<void> {
  if (options === 'help') return void process.stdout.write(help)
  if ('fault' in options) {
    process.stderr.write(`tollbook: ${options.fault}\n\n${help}`)
    process.exitCode = USAGE_EXIT
    return
  }
  try {
    await work(options)
  } catch (error) {
    process.stderr.write(`tollbook: ${explain(error)}\n`)
    process.exitCode = 1
  }
}

export function explain(error: unknown): string {
  if (error instanceof ConfigError) return [error.message, ...error.problems].join('\n  ')
  return error instanceof Error ? error.message : String(error)
}
