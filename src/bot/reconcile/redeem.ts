import type { Log } from '../../core/log.ts'
import type { Clock } from '../../core/time/clock.ts'
import { SECOND_MS } from '../../core/time/time.ts'
import type { BotBook, BrokerName } from '../../ledger/ports/bot-book.ts'
import type { Broker } from '../brokers/broker.ts'
import { createSerial } from '../desk/serial.ts'
import { isDue } from '../is-due.ts'
import { forEvery } from './for-every.ts'
import { type RedeemPorts, type Redemption, redeemOne, type Winner } from './redeem-one.ts'

export type Redeemer = {
  /** After a market was settled: there may be something to redeem. */
  wake(): void
  /** Redeems what is due of every broker; a market that cannot be redeemed now waits for a later pass. */
  pass(): Promise<void>
  /** Of one market. `accept`: shares that are gone for long without a trace are taken note of, with nothing paid. */
  redeem(winner: Winner, options?: { accept: boolean }): Promise<Redemption>
}

type Ports = RedeemPorts & {
  clock: Clock
  log: Log
  book: Pick<BotBook, 'unredeemed'>
  findBroker(name: BrokerName): Broker | undefined
}

const AGAIN_AFTER_MS = 30 * SECOND_MS
const BROKERS: readonly BrokerName[] = ['paper', 'polymarket']

export function createRedeemer(ports: Ports): Redeemer {
  const { clock, book, findBroker } = ports
  const alone = createSerial()
  let isWaiting = true
  let triedMs: number | undefined
  const redeem: Redeemer['redeem'] = (winner, { accept } = { accept: false }) =>
    alone(async () => {
      const broker = findBroker(winner.broker)
      if (!broker) return { state: 'pending', reason: `${winner.broker} is not configured` }
      return redeemOne(ports, { winner, broker, accept })
    })
  const passAll = async () => {
    let pending = 0
    const winners: Winner[] = []
    for (const name of BROKERS) if (findBroker(name)) winners.push(...(await book.unredeemed(name)))
    // Of all brokers together: play money that cannot be asked for does not hold up real money.
    await forEvery(winners, async (winner) => {
      if ((await redeem(winner)).state === 'pending') pending++
    })
    return pending
  }
  return {
    wake() {
      isWaiting = true
      triedMs = undefined
    },
    async pass() {
      if (!isWaiting || !isDue(clock.now(), triedMs, AGAIN_AFTER_MS)) return
      isWaiting = false
      triedMs = clock.now()
      try {
        if ((await passAll()) > 0) isWaiting = true
      } catch (err) {
        isWaiting = true
        throw err
      }
    },
    redeem,
  }
}
