const USAGE_EXIT = 2

/** What is wrong with the options. */
export type Fault = { fault: string }

/** What every command does around its work: wrong options are answered with the help, a failure with a line. */
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
  return error instanceof Error ? error.message : String(error)
}
