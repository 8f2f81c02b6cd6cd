import { describeError } from '../../core/describe-error.ts'
import type { Relayed } from '../../upstreams/polymarket/relayer/relayed.ts'
import type { AccountClients } from './account-clients.ts'

/** One step of opening an account, once it is over. */
export type OpeningStep = {
  name: 'place' | 'wallet' | 'approvals' | 'api-key'
  isDone: boolean
  what: string
}

type Clients = Pick<AccountClients, 'trading' | 'relayer' | 'web'>
type Outcome = Omit<OpeningStep, 'name'>

/**
 * Makes the deposit wallet where there is none, lets the exchange and the adapter move what it holds, and makes the API
 * key where there is none. Ends after the first step that fails. Everything may be done again: it is then as it was.
 */
export async function* openAccount(clients: Clients): AsyncGenerator<OpeningStep> {
  const steps = [
    { name: 'place', run: () => checkPlace(clients) },
    { name: 'wallet', run: () => makeWallet(clients) },
    { name: 'approvals', run: () => approve(clients) },
    { name: 'api-key', run: () => makeKey(clients) },
  ] as const
  for (const { name, run } of steps) {
    const outcome = await run().catch(toFailed)
    yield { name, ...outcome }
    if (!outcome.isDone) return
  }
}

/** An account is opened only where it may trade; what is not known stands in the way as well. */
async function checkPlace({ web }: Clients): Promise<Outcome> {
  const { isBlocked, country } = await web.geoblock()
  return isBlocked
    ? failed(
        `Polymarket takes no orders from ${country}, where this machine is: run the service where it may trade`,
      )
    : done(`orders from ${country} are taken`)
}

async function makeWallet({ relayer }: Clients): Promise<Outcome> {
  if (await relayer.isDeployed()) return done(`the deposit wallet ${relayer.wallet} is there already`)
  const relayed = await relayer.deploy()
  return toOutcome(relayed, `the deposit wallet ${relayer.wallet} is made`)
}

/** Also where they are there: the venue tells only one of the four. */
async function approve({ relayer }: Clients): Promise<Outcome> {
  const relayed = await relayer.approveTrading()
  return toOutcome(relayed, 'the exchange and the adapter may move what the wallet holds')
}

async function makeKey({ trading }: Clients): Promise<Outcome> {
  // Derives the key, or makes it; and the venue looks at the wallet, without which it counts nothing.
  await trading.connect()
  return done('Polymarket has an API key for the owner, and has looked at the wallet')
}

function toOutcome(relayed: Relayed, words: string): Outcome {
  if (relayed.outcome === 'confirmed')
    return done(relayed.transactionHash ? `${words}, in transaction ${relayed.transactionHash}` : words)
  if (relayed.outcome === 'unknown')
    return failed(
      `it may have been carried out, or still be (${relayed.reason}): wait five minutes, then open again`,
    )
  return failed(`${relayed.reason}: nothing moved; look at ./tollbook doctor --only relayer, then open again`)
}

const toFailed = (error: unknown): Outcome =>
  failed(`${describeError(error)}: look at ./tollbook doctor --only prediction, then open again`)
const done = (what: string): Outcome => ({ isDone: true, what })
const failed = (what: string): Outcome => ({ isDone: false, what })
