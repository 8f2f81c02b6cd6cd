import { z } from 'zod'
import { UPSTREAM_URLS, type UpstreamName, VARIABLES } from './variables.ts'

const Environment = z.object(VARIABLES)
type Values = z.infer<typeof Environment>

export type Upstreams = Record<UpstreamName, string>
export type Config = Readonly<ReturnType<typeof arrange>>

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
export function readConfig(env: Record<string, string | undefined>): Config {
  const given = Object.fromEntries(
    Object.entries(env).filter(([, value]) => value !== undefined && value !== ''),
  )
  const problems = findUnknown(given)
  const parsed = Environment.safeParse(given)
  if (!parsed.success)
    problems.push(...parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`))
  problems.push(...findContradictions(given))
  if (!parsed.success || problems.length > 0) throw new ConfigError([...new Set(problems)])
  return Object.freeze(arrange(parsed.data))
}

/** A misspelt name would silently leave its default in force. */
function findUnknown(given: Record<string, string | undefined>): string[] {
  return Object.keys(given)
    .filter(
      (name) => name.startsWith('TOLLBOOK_') && !(name in VARIABLES) && !name.startsWith('TOLLBOOK_TEST_'),
    )
    .map((name) => `${name}: no such variable; see .env.example`)
}

function findContradictions(given: Record<string, string | undefined>): string[] {
  const problems: string[] = []
  const mode = given.TOLLBOOK_MODE ?? 'sandbox'
  const payTo = ['TOLLBOOK_PAY_TO_EVM', 'TOLLBOOK_PAY_TO_SVM']
  for (const name of payTo) {
    if (mode === 'live' && !given[name]) problems.push(`${name}: required in live mode`)
    if (mode === 'sandbox' && given[name])
      problems.push(
        `${name}: refused in sandbox mode, where nothing may pay a real address; the sandbox makes its own`,
      )
  }
  for (const name of ['TOLLBOOK_EVM_RPC_URL', 'TOLLBOOK_SVM_RPC_URL'])
    if (mode !== 'live' && given[name] && !isLoopback(given[name]))
      problems.push(
        `${name}: outside live mode only a chain on this machine is allowed, where money is play money`,
      )
  const live = [
    'TOLLBOOK_BASE_URL',
    'TOLLBOOK_OPERATOR_KEY',
    'TOLLBOOK_FACILITATORS',
    'TOLLBOOK_EVM_RPC_URL',
    'TOLLBOOK_SVM_RPC_URL',
  ]
  for (const name of live)
    if (mode === 'live' && !given[name]) problems.push(`${name}: required in live mode`)
  const clob = ['TOLLBOOK_CLOB_API_KEY', 'TOLLBOOK_CLOB_SECRET', 'TOLLBOOK_CLOB_PASSPHRASE']
  const missing = clob.filter((name) => !given[name])
  if (missing.length > 0 && missing.length < clob.length)
    problems.push(
      ...missing.map((name) => `${name}: required when the other prediction-market credentials are set`),
    )
  const { TOLLBOOK_FACILITATOR_KEY_ID: keyId, TOLLBOOK_FACILITATOR_KEY: key } = given
  if (Boolean(keyId) !== Boolean(key))
    problems.push(
      `TOLLBOOK_FACILITATOR_KEY${key ? '_ID' : ''}: required when the other half of the key is set`,
    )
  return problems
}

function isLoopback(url: string): boolean {
  return URL.canParse(url) && ['127.0.0.1', 'localhost', '[::1]'].includes(new URL(url).hostname)
}

function arrange(values: Values) {
  const perClientPerDay = values.TOLLBOOK_DEMO_CALLS_PER_DAY
  return {
    host: values.HOST,
    port: values.PORT,
    mode: values.TOLLBOOK_MODE,
    dataDir: values.TOLLBOOK_DATA_DIR,
    baseUrl: values.TOLLBOOK_BASE_URL?.replace(/\/+$/, ''),
    site: values.TOLLBOOK_SITE,
    operatorKey: values.TOLLBOOK_OPERATOR_KEY,
    contactEmail: values.TOLLBOOK_CONTACT_EMAIL,
    demo: {
      perClientPerDay,
      totalPerDay: values.TOLLBOOK_DEMO_TOTAL_PER_DAY ?? Math.max(DEMO_TOTAL_PER_DAY, perClientPerDay),
    },
    trustedProxies: values.TOLLBOOK_TRUSTED_PROXIES,
    facilitators: values.TOLLBOOK_FACILITATORS,
    facilitatorKey: facilitatorKey(values),
    databaseUrl: values.DATABASE_URL,
    redisUrl: values.REDIS_URL,
    role: values.TOLLBOOK_ROLE,
    chains: { evmRpcUrl: values.TOLLBOOK_EVM_RPC_URL, svmRpcUrl: values.TOLLBOOK_SVM_RPC_URL },
    payTo: { evm: values.TOLLBOOK_PAY_TO_EVM, svm: values.TOLLBOOK_PAY_TO_SVM },
    clob: clobCredentials(values),
    logLevel: values.TOLLBOOK_LOG_LEVEL,
    sandboxSeed: values.TOLLBOOK_SANDBOX_SEED,
    upstreams: upstreamUrls(values),
  }
}

const DEMO_TOTAL_PER_DAY = 20_000

function facilitatorKey({ TOLLBOOK_FACILITATOR_KEY_ID: keyId, TOLLBOOK_FACILITATOR_KEY: key }: Values) {
  return keyId && key ? { keyId, key } : undefined
}

function clobCredentials(values: Values) {
  const {
    TOLLBOOK_CLOB_API_KEY: apiKey,
    TOLLBOOK_CLOB_SECRET: secret,
    TOLLBOOK_CLOB_PASSPHRASE: passphrase,
  } = values
  return apiKey && secret && passphrase ? { apiKey, secret, passphrase } : undefined
}

function upstreamUrls(values: Values): Upstreams {
  const names = Object.keys(UPSTREAM_URLS) as UpstreamName[]
  return Object.fromEntries(names.map((name) => [name, values[`TOLLBOOK_UPSTREAM_${name}_URL`]])) as Upstreams
}
