import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { errorCode } from '../../core/describe-error.ts'

type Tool = 'pg_dump' | 'pg_restore'
const MAX_TOLD_CHARS = 500

/** Address and environment for a tool: the password is not in the command line, which other users see. */
export function reach(url: string): { dbname: string; env: NodeJS.ProcessEnv } {
  const address = new URL(url)
  const { password } = address
  address.password = ''
  // The tools read a + as itself, our driver as a space.
  address.search = address.search.replaceAll('+', '%20')
  const env = password === '' ? process.env : { ...process.env, PGPASSWORD: decodeURIComponent(password) }
  return { dbname: address.href, env }
}

type Call = {
  args: readonly string[]
  env?: NodeJS.ProcessEnv
  /** Gets each line that it writes. */
  onLine?: (line: string) => void
}

/** Runs a tool of PostgreSQL to its end; throws what it says where that is not a good one. */
export async function runTool(tool: Tool, { args, env = process.env, onLine }: Call): Promise<void> {
  const child = spawn(tool, args, { env, stdio: ['ignore', onLine ? 'pipe' : 'ignore', 'pipe'] })
  const ended = new Promise<number | null>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', resolve)
  })
  const said = child.stderr ? text(child.stderr) : Promise.resolve('')
  const read = async () => {
    if (child.stdout && onLine)
      for await (const line of createInterface({ input: child.stdout })) onLine(line)
  }
  const [code, words] = await Promise.all([ended, said, read()]).catch((error: unknown) => {
    throw errorCode(error) === 'ENOENT'
      ? new Error(
          `${tool} is not installed: install the client of PostgreSQL (Debian: apt-get install postgresql-client)`,
        )
      : error
  })
  if (code !== 0)
    throw new Error(`${tool} failed: ${words.trim().slice(0, MAX_TOLD_CHARS) || `it ended with ${code}`}`)
}
