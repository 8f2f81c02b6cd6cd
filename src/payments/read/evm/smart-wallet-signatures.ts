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

/** Anyone can send signatures that match no key: this bounds the load on our node, and what one customer can take of it. */
const PLACES = { places: 12, placesPerKey: 2, line: 128, linePerKey: 16, waitMs: 4_000 }
/**
 * Kept for wallets that have bought lately. Anybody can name one, so each has a few of them and a short wait: where they
 * are taken it waits with strangers.
 */
const KNOWN_PLACES = { places: 4, placesPerKey: 2, line: 32, linePerKey: 2, waitMs: 500 }
const NO_PLACE = new Error('the places of known wallets are taken')
/** Good ones do not count, nor those that the node did not answer. */
const BAD_SIGNATURES: RateLimit = { name: 'bad-wallet-signatures', calls: 30, windowS: 60 }

export function createSmartWalletSignatures(options: {
  rpc: JsonRpc
  clock: Clock
  counters: RateCounters
  /** Whose a client may be: one customer can have many, and they wait in one line. Absent: each is his own. */
  customerOf?: ((client: string) => string) | undefined
  /** Whether a wallet has bought lately; absent: nobody knows. */
  isKnown?: ((wallet: string) => boolean) | undefined
}): SmartWalletSignatures {
  const { rpc, clock, counters, customerOf = (client) => client, isKnown = () => false } = options
  const refuse = () => unavailable('too many wallet signatures are being checked')
  const queue = createFairQueue({ ...PLACES, clock, refuse })
  const known = createFairQueue({ ...KNOWN_PLACES, clock, refuse: () => NO_PLACE })
  const ask = (claim: SignatureClaim) =>
    askContractWallet(rpc, claim).catch((cause) => {
      throw unavailable('the chain cannot be asked about this wallet', cause)
    })
  const askInTurn = async (key: string, claim: SignatureClaim): Promise<boolean> => {
    const inLine = () => queue.run(key, () => ask(claim))
    if (!isKnown(claim.wallet)) return inLine()
    return known
      .run(claim.wallet, () => ask(claim))
      .catch((error) => {
        if (error !== NO_PLACE) throw error
        return inLine()
      })
  }
  return {
    async holds({ client, ...claim }) {
      if (client === undefined) return askInTurn(claim.wallet, claim)
      // Counted before it is asked, so that many at once do not pass.
      const count = await counters.take(BAD_SIGNATURES, client)
      if (count.isOver) throw tooManyBad(count)
      let isBad = false
      try {
        isBad = !(await askInTurn(customerOf(client), claim))
        return !isBad
      } finally {
        if (!isBad) await counters.giveBack(BAD_SIGNATURES, client, count)
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
