import { findConfirmations } from '../core/confirmations.ts'
import { usd } from '../core/money.ts'
import { mapUpstreams } from './providers.ts'
import type { Values } from './variables/variables.ts'

const DEMO_TOTAL_PER_DAY = 20_000

/** The values by what they are for; a module gets its part. */
export function arrange(values: Values) {
  const perClientPerDay = values.TOLLBOOK_DEMO_CALLS_PER_DAY
  return {
    host: values.HOST,
    port: values.PORT,
    mode: values.TOLLBOOK_MODE,
    dataDir: values.TOLLBOOK_DATA_DIR.replaceAll('<mode>', values.TOLLBOOK_MODE),
    databaseUrl: values.DATABASE_URL,
    redisUrl: values.REDIS_URL,
    role: values.TOLLBOOK_ROLE,
    engineUrls: values.TOLLBOOK_ENGINE_URLS,
    backupPassphrase: values.TOLLBOOK_BACKUP_PASSPHRASE,
    baseUrl: values.TOLLBOOK_BASE_URL?.replace(/\/+$/, ''),
    operatorKey: values.TOLLBOOK_OPERATOR_KEY,
    site: values.TOLLBOOK_SITE,
    contactEmail: values.TOLLBOOK_CONTACT_EMAIL,
    publicRevenue: values.TOLLBOOK_PUBLIC_REVENUE === 'on',
    demo: {
      perClientPerDay,
      totalPerDay: values.TOLLBOOK_DEMO_TOTAL_PER_DAY ?? Math.max(DEMO_TOTAL_PER_DAY, perClientPerDay),
    },
    trustedProxies: values.TOLLBOOK_TRUSTED_PROXIES,
    facilitators: values.TOLLBOOK_FACILITATORS,
    facilitatorKey: facilitatorKey(values),
    chains: {
      evmRpcUrls: values.TOLLBOOK_EVM_RPC_URL,
      svmRpcUrls: values.TOLLBOOK_SVM_RPC_URL,
      evmConfirmations: findConfirmations(values.TOLLBOOK_EVM_CONFIRMATIONS) ?? [],
      svmFinalizedFrom: optionalUsd(values.TOLLBOOK_SVM_FINALIZED_FROM),
    },
    intelRpcUrl: values.TOLLBOOK_INTEL_RPC_URL,
    payTo: { evm: values.TOLLBOOK_PAY_TO_EVM, svm: values.TOLLBOOK_PAY_TO_SVM },
    projectToken: values.TOLLBOOK_PROJECT_TOKEN,
    clob: clobCredentials(values),
    polyWallet: values.TOLLBOOK_POLY_WALLET?.toLowerCase(),
    polymarket: polymarketAccount(values),
    paperUsd: values.TOLLBOOK_PAPER_USD,
    writer: {
      key: values.TOLLBOOK_LLM_KEY,
      model: values.TOLLBOOK_LLM_MODEL,
      callsPerDay: values.TOLLBOOK_LLM_CALLS_PER_DAY,
    },
    historyDays: values.TOLLBOOK_HISTORY_DAYS,
    metrics: {
      host: values.TOLLBOOK_METRICS_HOST,
      port: values.TOLLBOOK_METRICS_PORT,
      token: values.TOLLBOOK_METRICS_TOKEN,
    },
    traces: traceTarget(values),
    drainMs: values.TOLLBOOK_DRAIN_MS,
    logLevel: values.TOLLBOOK_LOG_LEVEL,
    sandboxSeed: values.TOLLBOOK_SANDBOX_SEED,
    keys: { coinGecko: values.TOLLBOOK_COINGECKO_KEY, blockscout: values.TOLLBOOK_BLOCKSCOUT_KEY },
    upstreams: mapUpstreams(({ name }) => values[`TOLLBOOK_UPSTREAM_${name}_URL`]),
  }
}

const optionalUsd = (text: string | undefined) => (text ? usd(text) : undefined)

/** Undefined where nothing is traced. */
function traceTarget(values: Values) {
  const {
    OTEL_EXPORTER_OTLP_ENDPOINT: base,
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: whole,
    OTEL_EXPORTER_OTLP_HEADERS: headers,
    OTEL_SERVICE_NAME: serviceName,
    OTEL_TRACES_SAMPLER_ARG: share,
  } = values
  const url = whole || (base && below(base, 'v1/traces'))
  return url ? { url, headers, serviceName, share } : undefined
}

function below(base: string, path: string): string {
  const url = new URL(base)
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/${path}`
  return url.href
}

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

function polymarketAccount(values: Values) {
  const {
    TOLLBOOK_POLY_OWNER_KEY: ownerKey,
    TOLLBOOK_POLY_RELAYER_KEY: apiKey,
    TOLLBOOK_POLY_RELAYER_ADDRESS: address,
  } = values
  return ownerKey && apiKey && address ? { ownerKey, relayerKey: { apiKey, address } } : undefined
}
