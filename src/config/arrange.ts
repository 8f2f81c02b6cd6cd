import { mapCalled } from './providers.ts'
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
    backupPassphrase: values.TOLLBOOK_BACKUP_PASSPHRASE,
    baseUrl: values.TOLLBOOK_BASE_URL?.replace(/\/+$/, ''),
    operatorKey: values.TOLLBOOK_OPERATOR_KEY,
    contactEmail: values.TOLLBOOK_CONTACT_EMAIL,
    publicRevenue: values.TOLLBOOK_PUBLIC_REVENUE === 'on',
    demo: {
      perClientPerDay,
      totalPerDay: values.TOLLBOOK_DEMO_TOTAL_PER_DAY ?? Math.max(DEMO_TOTAL_PER_DAY, perClientPerDay),
    },
    trustedProxies: values.TOLLBOOK_TRUSTED_PROXIES,
    facilitators: values.TOLLBOOK_FACILITATORS,
    facilitatorKey: facilitatorKey(values),
    chains: { evmRpcUrl: values.TOLLBOOK_EVM_RPC_URL, svmRpcUrl: values.TOLLBOOK_SVM_RPC_URL },
    payTo: { evm: values.TOLLBOOK_PAY_TO_EVM, svm: values.TOLLBOOK_PAY_TO_SVM },
    clob: clobCredentials(values),
    polyWallet: values.TOLLBOOK_POLY_WALLET?.toLowerCase(),
    logLevel: values.TOLLBOOK_LOG_LEVEL,
    sandboxSeed: values.TOLLBOOK_SANDBOX_SEED,
    upstreams: mapCalled((name) => values[`TOLLBOOK_UPSTREAM_${name}_URL`]),
  }
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
