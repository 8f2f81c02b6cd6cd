import { type ParseArgsConfig, parseArgs } from 'node:util'
import { explain, type Fault } from './run-command.ts'

/** The one way in which a command reads its options. `--help` is help, whatever else is there. */
export function parseOptions<const Config extends ParseArgsConfig, Options extends object>(
  args: string[],
  config: Config,
  read: (parsed: ReturnType<typeof parseArgs<Config>>) => Options | Fault,
): Options | 'help' | Fault {
  if (args.includes('--help') || args.includes('-h')) return 'help'
  try {
    return read(parseArgs<Config>({ ...config, args }))
  } catch (error) {
    // Node adds advice for options that are meant as arguments, which no command here takes.
    return { fault: explain(error).replace(/\. To specify [\s\S]*/, '') }
  }
}
