import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'

export type Ended = { code: number | null; out: string; err: string; seconds: number }
export type Environment = Readonly<Record<string, string>>
export type RunOptions = { env?: Environment | undefined; cwd?: string; input?: string; killAfterMs?: number }

/** A fresh clone, and a place beside it for whatever a step needs. */
export type Clone = {
  dir: string
  /** Runs a command in the clone to its end, as a user at a shell would. */
  run(command: string, args: readonly string[], options?: RunOptions): Promise<Ended>
  /** `./tollbook` with these arguments. */
  tollbook(args: readonly string[], options?: RunOptions): Promise<Ended>
  /** The environment of a user who has configured nothing. */
  env(more?: Environment): NodeJS.ProcessEnv
  /** A new empty folder outside the clone. */
  folder(name: string): string
}

/** Longer than any command of the hour takes on a busy machine. */
const LIMIT_MS = 300_000

export function makeClone(repository: string): Clone {
  const root = mkdtempSync(join(tmpdir(), 'first-hour-'))
  const dir = join(root, 'tollbook')
  execFileSync('git', ['clone', '--quiet', repository, dir])
  const env = (more: Environment = {}) => ({ ...bareEnvironment(), ...more })
  const run: Clone['run'] = (command, args, { cwd = dir, ...options } = {}) =>
    runToEnd(command, args, { ...options, cwd, env: env(options.env) })
  return {
    dir,
    run,
    tollbook: (args, options) => run('./tollbook', args, options),
    env,
    folder(name) {
      const path = mkdtempSync(join(root, `${name}-`))
      mkdirSync(path, { recursive: true })
      return path
    },
  }
}

/** Without what npm and this script put there: their settings, and the Node that they bring. */
function bareEnvironment(): NodeJS.ProcessEnv {
  const isOurs = (name: string) =>
    /^(TOLLBOOK_|PORT$|HOST$|NODE|INIT_CWD$)/.test(name) ||
    (/^npm_/i.test(name) && !/^npm_config_(cache|offline|registry|userconfig)$/i.test(name))
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !isOurs(name)))
  const path = (env.PATH ?? '').split(':').filter((part) => !part.includes('node_modules'))
  return { ...env, PATH: path.join(':') }
}

async function runToEnd(
  command: string,
  args: readonly string[],
  options: { cwd: string; env: NodeJS.ProcessEnv; input?: string; killAfterMs?: number },
): Promise<Ended> {
  const { cwd, env, input = '', killAfterMs = LIMIT_MS } = options
  const startedMs = performance.now()
  const child = spawn(command, args, { cwd, env, timeout: killAfterMs })
  child.stdin.on('error', () => {})
  child.stdin.end(input)
  const ended = new Promise<number | null>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', resolve)
  })
  const [out, err, code] = await Promise.all([text(child.stdout), text(child.stderr), ended])
  return { code, out, err, seconds: (performance.now() - startedMs) / 1000 }
}
