import { type Config, ConfigError } from '../../config/config.ts'
import { type Check, failure, ok, warning } from './check.ts'

/** The configuration as a start reads it: every mistake at once. */
export type Read = { config: Config } | { error: ConfigError }

export function readConfiguration(load: () => Config): Read {
  try {
    return { config: load() }
  } catch (error) {
    if (error instanceof ConfigError) return { error }
    throw error
  }
}

export function configurationCheck(read: Read): Check {
  return {
    name: 'configuration',
    group: 'machine',
    advice: 'see docs/configuration.md',
    async run() {
      if ('error' in read)
        return failure(
          `${read.error.message}: nothing else can be checked before it is mended`,
          ...read.error.problems,
        )
      const { mode, notices } = read.config
      return notices.length > 0
        ? warning(`${mode} mode, with something to look at`, ...notices)
        : ok(`${mode} mode`)
    },
  }
}
