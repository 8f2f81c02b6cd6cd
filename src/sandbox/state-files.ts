import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** Files of a data directory that only simulated money leaves there. */
export const KEYS_FILE = 'sandbox-keys.json'
export const EVM_STATE_FILE = 'evm-state.json'
export const SVM_JOURNAL_FILE = 'svm-journal.jsonl'

/** Keys, orders and trades at the simulated prediction venue. */
export const ACCOUNTS_FILE = 'prediction-accounts.jsonl'

export const findSandboxFiles = (dataDir: string): string[] =>
  [KEYS_FILE, EVM_STATE_FILE, SVM_JOURNAL_FILE, ACCOUNTS_FILE].filter((name) =>
    existsSync(join(dataDir, name)),
  )
