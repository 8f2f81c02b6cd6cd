import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** Files of a data directory that only simulated money leaves there. */
export const KEYS_FILE = 'sandbox-keys.json'
export const EVM_STATE_FILE = 'evm-state.json'
export const SVM_JOURNAL_FILE = 'svm-journal.jsonl'

/** Keys, orders and trades at the simulated prediction venue. */
export const ACCOUNTS_FILE = 'prediction-accounts.jsonl'

/** Where a sandbox that runs as a process of its own is found; there while it runs. */
export const WORLD_FILE = 'sandbox-world.json'
/** Its ports and credentials, kept from one run to the next. */
export const PLACES_FILE = 'sandbox-places.json'

export const findSandboxFiles = (dataDir: string): string[] =>
  [KEYS_FILE, EVM_STATE_FILE, SVM_JOURNAL_FILE, ACCOUNTS_FILE].filter((name) =>
    existsSync(join(dataDir, name)),
  )
