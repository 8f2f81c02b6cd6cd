import { join } from 'node:path'
import type { Config } from '../../config/config.ts'
import { isPlayMoney } from '../../config/variables/variable.ts'
import type { Wanted } from '../../ledger/identity/objections.ts'
import type { PaidAddresses } from '../../ledger/ports/ledger-identity.ts'
import { findSandboxAddresses, openSandboxKeys, type SandboxAddresses } from '../../sandbox/keys.ts'
import { KEYS_FILE } from '../../sandbox/state-files.ts'

type Settings = Pick<Config, 'mode' | 'payTo' | 'dataDir'>

/** What the configuration and the files of the directory say; writes nothing. */
export function readWanted(config: Settings): Wanted {
  const { mode, dataDir } = config
  if (!isPlayMoney(mode))
    return { mode, payTo: livePayTo(config), putBack: 'correct TOLLBOOK_PAY_TO_EVM and TOLLBOOK_PAY_TO_SVM' }
  const addresses = findSandboxAddresses(dataDir)
  const putBack = `put ${join(dataDir, KEYS_FILE)} back`
  return { mode, payTo: addresses && toPayTo(addresses), putBack }
}

/** Makes the keys of play money where there are none. */
export function openPaidAddresses(config: Settings): PaidAddresses {
  return isPlayMoney(config.mode) ? toPayTo(openSandboxKeys(config.dataDir)) : livePayTo(config)
}

function livePayTo({ payTo: { evm, svm } }: Settings): PaidAddresses {
  if (!evm || !svm) throw new Error('live mode needs TOLLBOOK_PAY_TO_EVM and TOLLBOOK_PAY_TO_SVM')
  return { evm, svm }
}

/** All of them, also while a chain does not run and its address is not offered. */
const toPayTo = ({ evm, svm }: SandboxAddresses): PaidAddresses => ({ evm, svm: svm.address })
