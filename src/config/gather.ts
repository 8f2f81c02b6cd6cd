import type { EnvFile } from './env-file.ts'
import { readSecretFile } from './secret-file.ts'
import type { Variable } from './variables/variable.ts'
import { VARIABLES } from './variables/variables.ts'

/** Where a value comes from: the environment, the file `.env`, or a file of its own with its path. */
export type Source = { from: 'environment' } | { from: 'env-file' | 'secret-file'; path: string }

export type Gathered = {
  /** By name, without those that are absent. A secret whose file cannot be read is an empty text: it is set. */
  given: Readonly<Record<string, string>>
  sources: ReadonlyMap<string, Source>
  problems: readonly string[]
  /** Secrets that every user of this machine can read, each with the file. */
  open: readonly { name: string; path: string }[]
}

type Environment = Readonly<Record<string, string | undefined>>

const FILE_SUFFIX = '_FILE'
/** Where container engines put secrets, open to all users: there the container is the wall. */
const CONTAINER_SECRETS = '/run/secrets/'

export const SECRET_NAMES: readonly string[] = Object.entries<Variable>(VARIABLES)
  .filter(([, { isSecret }]) => isSecret)
  .map(([name]) => name)
export const fileNameOf = (name: string): string => `${name}${FILE_SUFFIX}`

/** The environment, what it does not say from the file `.env`, and secrets from the files that either names. */
export function gather(env: Environment, file?: EnvFile): Gathered {
  const given: Record<string, string> = {}
  const sources = new Map<string, Source>()
  for (const [name, value] of Object.entries({ ...file?.values, ...env })) {
    if (!value) continue
    given[name] = value
    sources.set(name, name in env || !file ? { from: 'environment' } : { from: 'env-file', path: file.path })
  }
  const problems = [...(file?.problems ?? [])]
  const open = file?.isOpenToAll
    ? SECRET_NAMES.filter((name) => name in given && file.values[name]).map((name) => ({
        name,
        path: file.path,
      }))
    : []
  for (const name of SECRET_NAMES) {
    const path = given[fileNameOf(name)]
    if (path === undefined) continue
    delete given[fileNameOf(name)]
    sources.delete(fileNameOf(name))
    if (name in given) {
      problems.push(`${fileNameOf(name)}: set beside ${name}: remove one of the two`)
      continue
    }
    const read = readSecretFile(path)
    if ('fault' in read) problems.push(`${fileNameOf(name)}: ${read.fault}`)
    else if (read.isOpenToAll && !path.startsWith(CONTAINER_SECRETS)) open.push({ name, path })
    given[name] = 'fault' in read ? '' : read.text
    sources.set(name, { from: 'secret-file', path })
  }
  return { given, sources, problems, open }
}
