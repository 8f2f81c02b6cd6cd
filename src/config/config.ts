import { z } from 'zod'
import { type Secret, secret } from '../core/secret.ts'
import { arrange } from './arrange.ts'
import { findNotices, findProblems } from './check-rules.ts'
import { type EnvFile, readEnvFile } from './env-file.ts'
import { type Gathered, gather, SECRET_NAMES } from './gather.ts'
import { showAddress } from './shown-address.ts'
import { VARIABLES, type Values } from './variables/variables.ts'
import { findWeakKey } from './weak-key.ts'

export type Config = Readonly<ReturnType<typeof arrange>> & {
  /** What an operator should look at: settings without effect, a key that may be guessed, secrets that others can read. */
  readonly notices: readonly string[]
  /** Every secret as it was given, also those that stand in an address: what must be in no text for others. */
  readonly secrets: readonly Secret[]
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

/** Reads the environment, the file where that is silent, and the files of secrets; an empty value counts as absent. */
export function readConfig(env: Readonly<Record<string, string | undefined>>, file?: EnvFile): Config {
  return understand(gather(env, file)).config
}

/** The configuration, and each variable's own value beside it. */
export function understand(gathered: Gathered): { config: Config; values: Values } {
  const { given, open } = gathered
  const parsed = Environment.safeParse(withoutEmpty(given))
  const badValues = parsed.error?.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`) ?? []
  const problems = [...gathered.problems, ...findProblems(given), ...badValues]
  if (!parsed.success || problems.length > 0) throw new ConfigError(problems)
  // Built from the variables' own types, name by name.
  const values = parsed.data as Values
  const config = arrange(values)
  const notices = [
    ...findNotices(given, config.mode),
    ...findWeakKey(config.operatorKey?.reveal()),
    ...open.map(({ name, path }) => `${name}: every user of this machine can read it: chmod 600 ${path}`),
  ]
  const secrets = Object.entries(given).flatMap(([name, value]) =>
    isHidden(name, value) ? [secret(value)] : [],
  )
  return { config: Object.freeze({ ...config, notices, secrets }), values }
}

/** Of the variables that we have: the environment is full of others. */
const isHidden = (name: string, value: string) =>
  SECRET_NAMES.includes(name) ||
  (Object.hasOwn(VARIABLES, name) && value.split(',').some((part) => showAddress(part) !== part))

/** What could not be read has its own message. */
const withoutEmpty = (given: Gathered['given']) =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== ''))
