import { z } from 'zod'
import { arrange } from './arrange.ts'
import { findNotices, findProblems } from './check-rules.ts'
import { VARIABLES, type Values } from './variables/variables.ts'

export type Config = Readonly<ReturnType<typeof arrange>> & {
  /** What is set and has no effect. */
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

/** Reads the environment; an empty value counts as absent. */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const given: Record<string, string> = {}
  for (const [name, value] of Object.entries(env)) if (value) given[name] = value
  const parsed = Environment.safeParse(given)
  const badValues = parsed.error?.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`) ?? []
  const problems = [...findProblems(given), ...badValues]
  if (!parsed.success || problems.length > 0) throw new ConfigError(problems)
  // Built from the variables' own types, name by name.
  const config = arrange(parsed.data as Values)
  return Object.freeze({ ...config, notices: findNotices(given, config.mode) })
}
