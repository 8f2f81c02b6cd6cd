import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { choosePort } from '../../http/listen.ts'
import { endWithUs } from '../end-with-us.ts'
import { isMissing } from '../missing.ts'

/** A PostgreSQL of a test's own, which may be stopped and started. */
export type PostgresServer = {
  url: string
  /** Of its first process. */
  pid(): number
  start(): Promise<void>
  /** `fast` ends every session in order; `kill` is what a power cut leaves. */
  stop(how?: 'fast' | 'kill'): Promise<void>
  /** For good. */
  end(): Promise<void>
}

/** Debian keeps the programs of the server here, by version, and not on the PATH. */
const DEBIAN_VERSIONS = '/usr/lib/postgresql'
const PROGRAM = findProgram('postgres')
const MAKE_CLUSTER = findProgram('initdb')
/** The server refuses to run as root. */
const OTHER_USER = 'postgres'
const user = findUser()
export const isServerMissing = isMissing('postgres', user !== undefined)
const SETTINGS = ['-c', 'fsync=off', '-c', 'shared_buffers=16MB', '-c', 'max_connections=60']
const STARTS_WITHIN_MS = 60_000

/** `settings` as on its command line, such as `-c fsync=on`. */
export async function startPostgres(...settings: string[]): Promise<PostgresServer> {
  const dir = mkdtempSync(join(tmpdir(), 'postgres-'))
  if (user?.uid !== undefined) chownSync(dir, user.uid, user.gid ?? 0)
  execFileSync(MAKE_CLUSTER, ['-D', join(dir, 'data'), '-U', 'tollbook', '-A', 'trust', '-N'], {
    ...user,
    stdio: 'ignore',
    cwd: dir,
  })
  const port = await choosePort('127.0.0.1', 0)
  const url = `postgres://tollbook@127.0.0.1:${port}/postgres`
  let child: ChildProcess | undefined
  const server: PostgresServer = {
    url,
    pid: () => child?.pid ?? 0,
    async start() {
      const args = [
        '-D',
        join(dir, 'data'),
        '-p',
        String(port),
        '-k',
        dir,
        '-h',
        '127.0.0.1',
        ...SETTINGS,
        ...settings,
      ]
      child = spawn(PROGRAM, args, { ...user, cwd: dir, stdio: 'ignore' })
      endWithUs(child, 'SIGQUIT')
      await untilAnswers(url)
    },
    async stop(how = 'fast') {
      if (!child || child.exitCode !== null || child.signalCode !== null) return
      // The quick way to stop for good: a kill of the first process alone leaves the others behind.
      child.kill(how === 'fast' ? 'SIGINT' : 'SIGQUIT')
      await once(child, 'exit')
    },
    async end() {
      await server.stop('kill')
      rmSync(dir, { recursive: true, force: true })
    },
  }
  await server.start()
  return server
}

async function untilAnswers(url: string): Promise<void> {
  const giveUpMs = Date.now() + STARTS_WITHIN_MS
  for (;;) {
    const client = new pg.Client({ connectionString: url })
    client.on('error', () => {})
    try {
      await client.connect()
      await client.end()
      return
    } catch (error) {
      if (Date.now() > giveUpMs) throw error
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
}

/** One of those that come with the server. */
export function findProgram(program: string): string {
  const versions = existsSync(DEBIAN_VERSIONS) ? readdirSync(DEBIAN_VERSIONS) : []
  const newestFirst = versions.sort((a, b) => Number(b) - Number(a))
  const inDebian = newestFirst.map((version) => join(DEBIAN_VERSIONS, version, 'bin', program))
  return inDebian.find((path) => existsSync(path)) ?? program
}

function findUser(): { uid?: number; gid?: number } | undefined {
  try {
    execFileSync(PROGRAM, ['--version'], { stdio: 'ignore' })
    if (process.getuid?.() !== 0) return {}
    const id = (flag: string) => Number(execFileSync('id', [flag, OTHER_USER], { encoding: 'utf8' }))
    return { uid: id('-u'), gid: id('-g') }
  } catch {
    return undefined
  }
}
