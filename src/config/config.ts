import { z } from 'zod'
import { isSecret } from '../core/secret.ts'
import { arrange } from './arrange.ts'
import { findNotices, findProblems } from './check-rules.ts'
import { type EnvFile, readEnvFile } from './env-file.ts'
import { VARIABLES, type Values } from './variables/variables.ts'
import { findWeakKey } from './weak-key.ts'

export type Config = Readonly<ReturnType<typeof arrange>> & {
  /** What an operator should look at: settings without effect, a key that may be guessed, secrets that others can read. */
  readonly notices: readonly string[]
}

const Environment = z.object(
  Object.fromEntries(Object.entries(VARIABLES).map(([name, { type }]) => [name, type])),
)

/** Names every bad value at once; nothing starts on a half-understood environment. */
export class ConfigError extends Error {
  readonly problems: readonly string[]
  constructor(problems: readonly string[]) {
    super(`the configuration has ${problems.length === 1 ? 'a mistake' : `${problems.length} mistakes`}`)
    this.name = 'ConfigError'
    this.problems = problems
  }
}

/** The environment of this process and the file `.env` of the working directory. */
export const loadConfig = (): Config => readConfig(process.env, readEnvFile())

/** Reads the environment, and the file where that is silent; an empty value counts as absent. */
export function readConfig(env: Readonly<Record<string, string | undefined>>, file?: EnvFile): Config {
  const given: Record<string, string> = {}
  for (const [name, value] of Object.entries({ ...file?.values, ...env })) if (value) given[name] = value
  const parsed = Environment.safeParse(given)
  const badValues = parsed.error?.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`) ?? []
  const problems = [...(file?.problems ?? []), ...findProblems(given), ...badValues]
  if (!parsed.success || problems.length > 0) throw new ConfigError(problems)
  // Built from the variables' own types, name by name.
  const values = parsed.data as Values
  const config = arrange(values)
  const notices = [
    ...findNotices(given, config.mode),
    ...findWeakKey(config.operatorKey?.reveal()),
    ...findOpenSecrets(values, file),
  ]
  return Object.freeze({ ...config, notices })
}

function findOpenSecrets(values: Values, file: EnvFile | undefined): string[] {
  if (!file?.isOpenToAll) return []
  return Object.entries(values)
    .filter(([name, value]) => isSecret(value) && file.values[name])
    .map(([name]) => `${name}: every user of this machine can read it: chmod 600 ${file.path}`)
}
