import type { Config } from '../../../config/config.ts'
import { findSignerIn, type Signer } from '../../../ledger/files/find-signer.ts'
import { readServiceKey } from '../../../payments/receipts/service-key.ts'
import { type Check, failure, ok, warning } from '../check.ts'
import { isRefused, SEE_LEDGER, type Settings, viewOwnLedger } from '../view-own-ledger.ts'
import { databaseSigner } from './database.ts'

const COPY =
  'copy service-key.json from the data directory of another process of this service, or from where you keep its copy; if it is nowhere: ./tollbook rotate-key --lost'
const PUT_BACK =
  'put the key back with ./tollbook restore <backup> --keys-only --force; if it is in no backup: ./tollbook rotate-key --lost'

/** That the key which signed last is the one that is there: a start is refused without it. */
export function serviceKeyCheck(config: Settings & Pick<Config, 'databaseUrl'>): Check {
  const advice = config.databaseUrl ? COPY : PUT_BACK
  return {
    name: 'service-key',
    group: 'machine',
    advice,
    async run() {
      const seen = await findSigner(config)
      if (!seen) return SEE_LEDGER
      const { signer } = seen
      const found = readServiceKey(config.dataDir)
      if ('fault' in found) {
        if (found.fault === 'is missing' && !signer) return ok('there is none yet: the first start makes it')
        return failure(
          `service-key.json ${found.fault}${signer ? `, and ${signer.signed} was signed with it` : ''}`,
          advice,
        )
      }
      if (!signer || signer.keyId === found.id) return ok(found.id)
      return signer.keyId === findNext(config.dataDir)
        ? warning('a change of the service key was interrupted', 'start the service, which finishes it')
        : failure(
            `service-key.json is ${found.id}, and ${signer.signed} was signed with ${signer.keyId}`,
            advice,
          )
    },
  }
}

/** Undefined where the ledger cannot be looked at. */
async function findSigner(
  config: Settings & Pick<Config, 'databaseUrl'>,
): Promise<{ signer: Signer | undefined } | undefined> {
  if (config.databaseUrl)
    return databaseSigner(config.databaseUrl).then(
      (signer) => ({ signer }),
      () => undefined,
    )
  return isRefused(config) ? undefined : { signer: viewOwnLedger(config, findSignerIn)?.found }
}

function findNext(dataDir: string): string | undefined {
  const next = readServiceKey(dataDir, 'next')
  return 'fault' in next ? undefined : next.id
}
