import { ServiceError } from '../../core/service-error.ts'
import type { BrokerName } from '../../ledger/ports/bot-book.ts'

/** Throws where the operator means another account than the one in use: nobody spends money that he was not told of. */
export function checkBroker(meant: BrokerName | undefined, inUse: BrokerName): void {
  if (meant === undefined || meant === inUse) return
  throw new ServiceError('conflict', `not done: the account in use is ${inUse}, not ${meant}`, {
    hint: 'look at the configuration, then send it again with the account that you mean',
  })
}
