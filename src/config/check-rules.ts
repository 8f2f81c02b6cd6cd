import type { Mode, Variable } from './variables/variable.ts'
import { VARIABLES } from './variables/variables.ts'

/** What is set. An empty text is a secret whose file cannot be read; every other empty value counts as absent. */
export type Given = Readonly<Record<string, string>>

/** Everything that is wrong beyond the values' own types, one line each. */
export function findProblems(given: Given): string[] {
  // With a bad mode nothing can be said about what the mode requires.
  const mode = VARIABLES.TOLLBOOK_MODE.type.safeParse(given.TOLLBOOK_MODE).data
  const declared = Object.entries<Variable>(VARIABLES)
  return [
    ...findUnknown(given),
    ...checkRole(given, mode),
    ...(mode ? declared.flatMap(([name, variable]) => checkMode(name, variable, mode, given)) : []),
    ...declared.flatMap(([name, variable]) => checkPair(name, variable, mode, given)),
    ...checkMetrics(given),
  ]
}

/** A misspelt name would silently leave its default in force. */
function findUnknown(given: Given): string[] {
  const isKnown = (name: string) => Object.hasOwn(VARIABLES, name)
  return Object.keys(given)
    .filter((name) => name.startsWith('TOLLBOOK_') && !name.startsWith('TOLLBOOK_TEST_') && !isKnown(name))
    .map((name) =>
      Object.hasOwn(VARIABLES, name.replace(/_FILE$/, ''))
        ? `${name}: only secrets are read from files: set ${name.replace(/_FILE$/, '')}`
        : `${name}: no such variable; see .env.example`,
    )
}

const SHARED_NAMES = ['DATABASE_URL', 'REDIS_URL', 'TOLLBOOK_BASE_URL'] as const

/**
 * Several processes have one ledger and one set of counts, or they would sell and give away twice. A payment is for an
 * address: each of them must name the same.
 */
function checkRole({ TOLLBOOK_ROLE: role, ...given }: Given, mode: Mode | undefined): string[] {
  const passesOn = role !== 'api' && 'TOLLBOOK_ENGINE_URLS' in given
  const needed = role === 'engine' || role === 'api' ? SHARED_NAMES : []
  const missing = needed.filter((name) => !(name in given) && !isRequired(VARIABLES[name], mode))
  return [
    ...(passesOn
      ? [
          'TOLLBOOK_ENGINE_URLS: only a process of the role api passes calls on: remove it, or set TOLLBOOK_ROLE',
        ]
      : []),
    ...missing.map((name) => `${name}: required when TOLLBOOK_ROLE is ${role}`),
  ]
}

/** What is set and has no effect, one line each; the start goes on and says so. */
export function findNotices(given: Given, mode: Mode): string[] {
  const ignored = Object.entries<Variable>(VARIABLES).flatMap(([name, { ignoredIn }]) =>
    name in given && ignoredIn?.[mode] !== undefined
      ? [`${name}: ignored in ${mode} mode: ${ignoredIn[mode]}`]
      : [],
  )
  return [...ignored, ...findKeysOfEngines(given), ...findUnreadOfTraces(given)]
}

const KEYS_OF_ENGINES = ['TOLLBOOK_POLY_OWNER_KEY', 'TOLLBOOK_POLY_RELAYER_KEY']

/** An api answers strangers: a key that it does not need is only there to be lost. */
const findKeysOfEngines = ({ TOLLBOOK_ROLE: role, ...given }: Given): string[] =>
  KEYS_OF_ENGINES.filter((name) => role === 'api' && name in given).map(
    (name) => `${name}: only engines trade: remove it here; TOLLBOOK_POLY_WALLET names the account`,
  )

/** OpenTelemetry has many more, which whoever turns traces on may expect to work. */
function findUnreadOfTraces(given: Given): string[] {
  if (!given.OTEL_EXPORTER_OTLP_ENDPOINT && !given.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT) return []
  return Object.keys(given)
    .filter((name) => name.startsWith('OTEL_') && !Object.hasOwn(VARIABLES, name))
    .map((name) => `${name}: not read here; .env.example has those that are`)
}

const isRequired = ({ requiredIn }: Variable, mode: Mode | undefined) =>
  mode !== undefined && requiredIn?.includes(mode) === true

function checkMode(name: string, variable: Variable, mode: Mode, given: Given): string[] {
  const value = given[name]
  if (value === undefined) return isRequired(variable, mode) ? [`${name}: required in ${mode} mode`] : []
  const refusal = variable.refusedIn?.[mode]
  if (refusal !== undefined) return [`${name}: refused in ${mode} mode: ${refusal}`]
  if (value !== '' && variable.loopbackOnlyIn?.includes(mode) && !isLoopback(value))
    return [`${name}: must be an address of this machine in ${mode} mode, where money is simulated`]
  return []
}

/** Reports a missing variable whose partner is set, unless the mode refuses both. */
function checkPair(name: string, variable: Variable, mode: Mode | undefined, given: Given): string[] {
  if (name in given || (mode && variable.refusedIn?.[mode] !== undefined)) return []
  const set = variable.pairedWith?.filter((other) => other in given) ?? []
  return set.length > 0 ? [`${name}: required when ${set.join(' and ')} is set`] : []
}

/** What they tell is for the operator: nobody else is to find them by looking for open ports. */
function checkMetrics(given: Given): string[] {
  const { TOLLBOOK_METRICS_HOST: host, TOLLBOOK_METRICS_PORT: port, TOLLBOOK_METRICS_TOKEN: token } = given
  if (host === undefined) return []
  if (port === undefined)
    return [
      'TOLLBOOK_METRICS_PORT: required when TOLLBOOK_METRICS_HOST is set: without it metrics have no port of their own',
    ]
  if (token !== undefined || isLoopback(`http://${host.includes(':') ? `[${host}]` : host}`)) return []
  return [`TOLLBOOK_METRICS_TOKEN: required when TOLLBOOK_METRICS_HOST is ${host}, which others may reach`]
}

/** Of one address, or of every one in a list. */
function isLoopback(urls: string): boolean {
  const isLocal = (url: string) =>
    URL.canParse(url) && ['127.0.0.1', 'localhost', '[::1]'].includes(new URL(url).hostname)
  return urls.split(',').every((url) => isLocal(url.trim()))
}
