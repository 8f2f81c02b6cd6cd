import type { RateCount, RateCounters, RateLimit } from '../../../catalog/rate-limit.ts'
import { createFairQueue } from '../../../core/fair-queue.ts'
import { ServiceError } from '../../../core/service-error.ts'
import type { Clock } from '../../../core/time/clock.ts'
import type { JsonRpc } from '../../chain/json-rpc.ts'
import { unavailable } from '../../gate/failures.ts'
import { askContractWallet, type SignatureClaim } from './ask-contract-wallet.ts'

/** Asks the chain whether a contract wallet accepts a signature; throws 503 when it cannot be asked. */
export type SmartWalletSignatures = {
  holds(claim: ClientClaim): Promise<boolean>
}
/** Without a client each wallet waits in a line of its own, and bad signatures are not counted. */
export type ClientClaim = SignatureClaim & { client?: string | undefined }

/** Anyone can send signatures that match no key: this bounds the load on our node, and what one client can take of it. */
const PLACES = { places: 16, placesPerKey: 2, line: 128, linePerKey: 16, waitMs: 4_000 }
/** Good ones do not count, nor those that the node did not answer. */
const BAD_SIGNATURES: RateLimit = { name: 'bad-wallet-signatures', calls: 30, windowS: 60 }

export function createSmartWalletSignatures(options: {
  rpc: JsonRpc
  clock: Clock
  counters: RateCounters
}): SmartWalletSignatures {
  const { rpc, clock, counters } = options
  const refuse = () => unavailable('too many wallet signatures are being checked')
  const queue = createFairQueue({ ...PLACES, clock, refuse })
  const ask = (claim: SignatureClaim) =>
    askContractWallet(rpc, claim).catch((cause) => {
      throw unavailable('the chain cannot be asked about this wallet', cause)
    })
  return {
    async holds({ client, ...claim }) {
      if (client === undefined) return queue.run(claim.wallet, () => ask(claim))
      // Counted before it is asked, so that many at once do not pass.
      const count = await counters.take(BAD_SIGNATURES, client)
      if (count.isOver) throw tooManyBad(count)
      let isBad = false
      try {
        isBad = !(await queue.run(client, () => ask(claim)))
        return !isBad
      } finally {
        if (!isBad) await counters.giveBack(BAD_SIGNATURES, client)
      }
    },
  }
}

const tooManyBad = ({ resetS }: RateCount) =>
  new ServiceError(
    'rate_limited',
    `more than ${BAD_SIGNATURES.calls} signatures in a minute from one client were not by their wallets`,
    { retryAfterS: resetS, hint: `wait ${resetS} s, then send the same again with a good signature` },
  )
