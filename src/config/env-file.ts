import { readFileSync, statSync } from 'node:fs'
import { parseEnv } from 'node:util'

/** The variables of a file, and what is wrong with it. No text of the file is in a problem: it may be a secret. */
export type EnvFile = {
  path: string
  values: Readonly<Record<string, string | undefined>>
  problems: readonly string[]
  /** Every user of this machine can read it. */
  isOpenToAll: boolean
}

export const ENV_FILE = '.env'

/** The form is Node's own. A line that Node would skip in silence is a problem. Undefined where there is no file. */
export function readEnvFile(path: string = ENV_FILE): EnvFile | undefined {
  try {
    const text = readFileSync(path, 'utf8').replace(/^\uFEFF/, '')
    const isOpenToAll = process.platform !== 'win32' && (statSync(path).mode & 0o004) !== 0
    return { path, values: parseEnv(text), problems: findBadLines(path, text), isOpenToAll }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return undefined
    return { path, values: {}, problems: [`${path}: cannot be read (${code})`], isOpenToAll: false }
  }
}

const NAMED = /^\s*(?:export\s+)?([A-Za-z_]\w*)\s*=[ \t]*(.?)/
/** From the name to the closing quote, which may stand lines below. */
const QUOTED = /^([ \t]*(?:export[ \t]+)?\w+[ \t]*=[ \t]*)(["'`])([\s\S]*?)\2/gm

function findBadLines(path: string, text: string): string[] {
  const withoutQuoted = text.replace(
    QUOTED,
    (_, start, _quote, value: string) => start + '\n'.repeat(value.split('\n').length - 1),
  )
  return withoutQuoted.split('\n').flatMap((line, index) => {
    if (line.trim() === '' || line.trimStart().startsWith('#')) return []
    const [isNamed, name, first = ''] = NAMED.exec(line) ?? []
    const where = `${path}, line ${index + 1}`
    if (isNamed === undefined) return [`${where}: must be NAME=value or start with #`]
    return /["'`]/.test(first) ? [`${where}: the quote of ${name} is not closed`] : []
  })
}
