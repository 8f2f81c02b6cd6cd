import { ConfigError } from '../../config/config.ts'
import { describeError, errorCode } from '../../core/describe-error.ts'
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
    // The reader of `--output /dev/stdout | head` has what it wanted.
    if (errorCode(error) === 'EPIPE') return
    process.stderr.write(`tollbook: ${explain(error)}\n`)
    process.exitCode = 1
  }
}

export function explain(error: unknown): string {
  if (error instanceof ConfigError) return [error.message, ...error.problems].join('\n  ')
  return explainFile(error) ?? describeError(error)
}

/** Node's own texts begin with a code and end with the name of a system call. */
const FILE_TROUBLE: Readonly<Record<string, string>> = {
  ENOENT: 'no such file or folder',
  ENOTDIR: 'a part of this path is a file, not a folder',
  EISDIR: 'is a folder: name a file',
  EACCES: 'you may not read or write it: check its permissions',
  EPERM: 'you may not read or write it: check its permissions',
  EROFS: 'is on a disk that is read-only',
  ENOSPC: 'no space is left on its disk',
}

function explainFile(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error) || !('path' in error)) return undefined
  const trouble = FILE_TROUBLE[String(error.code)]
  return trouble && `${error.path}: ${trouble}`
}
