import { exchangeOf, isReportedScam, shownLabel } from './labels.ts'
import type { Movement } from './movements.ts'
import type { Thefts } from './thefts.ts'
import type { Counterparties, Counterparty, CounterpartyFlag } from './wallet-analysis.ts'

/** Who makes and burns tokens: nobody. */
const NOBODY = '0x0000000000000000000000000000000000000000'
/** Characters at either end of an address that people look at. */
const SEEN_CHARS = 4

type Input = {
  movements: readonly Movement[]
  isComplete: boolean
  thefts: Thefts
  /** Who made the scam tokens that the wallet has. */
  creators: ReadonlySet<string>
  /** Tokens that are worth nothing for sure. */
  worthless: ReadonlySet<string>
  findExchange(address: string): string | undefined
}

export function toCounterparties(input: Input): Counterparties {
  const groups = Map.groupBy(
    input.movements.filter(({ counterparty }) => counterparty !== NOBODY),
    ({ counterparty }) => counterparty,
  )
  const lookAlikes = findLookAlikes([...groups.keys()], groups)
  const all = [...groups.values()].map((movements) => toCounterparty(movements, input, lookAlikes))
  all.sort(
    (a, b) =>
      b.incoming + b.outgoing - (a.incoming + a.outgoing) ||
      b.inUsd + b.outUsd - (a.inUsd + a.outUsd) ||
      b.lastMs - a.lastMs,
  )
  const risky = all.filter(isRisky)
  return {
    all,
    movements: all.reduce((sum, { incoming, outgoing }) => sum + incoming + outgoing, 0),
    riskyMovements: risky.reduce((sum, { incoming, outgoing }) => sum + incoming + outgoing, 0),
    sentToRisky: risky.flatMap(({ address }) => groups.get(address)?.filter(isSent) ?? []).length,
    isComplete: input.isComplete,
  }
}

/** What was taken from it, it did not send. */
const isSent = ({ direction, isVerified, isOwn }: Movement): boolean =>
  direction === 'out' && isVerified && isOwn !== false

/** Pools of worthless tokens and look-alikes come to everybody who is airdropped something: they are told, not held against. */
export const isRisky = ({ flags }: Counterparty): boolean =>
  flags.some(
    (flag) => flag === 'reported_scam' || flag === 'scam_token_creator' || flag === 'took_approved_tokens',
  )

function toCounterparty(
  movements: readonly Movement[],
  input: Input,
  lookAlikes: ReadonlySet<string>,
): Counterparty {
  const [newest] = movements
  const { other, counterparty: address = NOBODY } = newest ?? {}
  const label = other?.label || undefined
  const verified = movements.filter(({ isVerified }) => isVerified)
  const [incoming, outgoing] = [
    verified.filter(({ direction }) => direction === 'in'),
    verified.filter(({ direction }) => direction === 'out'),
  ]
  const applies: Readonly<Record<CounterpartyFlag, boolean>> = {
    reported_scam: other !== undefined && isReportedScam(other),
    scam_token_creator: input.creators.has(address),
    took_approved_tokens: input.thefts.takers.has(address),
    got_unasked: input.thefts.unasked.has(address),
    worthless_tokens_only: movements.every(({ token }) => input.worthless.has(token)),
    look_alike: lookAlikes.has(address),
  }
  return {
    address,
    label: shownLabel(label),
    // Contracts name themselves.
    exchange: input.findExchange(address) ?? (other?.isContract === true ? undefined : exchangeOf(label)),
    isContract: other?.isContract,
    incoming: incoming.length,
    outgoing: outgoing.length,
    unverified: movements.length - verified.length,
    inUsd: sumUsd(incoming),
    outUsd: sumUsd(outgoing),
    lastMs: newest?.atMs ?? 0,
    flags: (Object.keys(applies) as CounterpartyFlag[]).filter((flag) => applies[flag]),
  }
}

const sumUsd = (movements: readonly Movement[]) => movements.reduce((sum, { usd }) => sum + (usd ?? 0), 0)

/** Addresses made to be mistaken for one that the wallet deals with; they sent nothing of worth, and got nothing. */
function findLookAlikes(
  addresses: readonly string[],
  movements: ReadonlyMap<string, readonly Movement[]>,
): ReadonlySet<string> {
  const seenAs = (address: string) => `${address.slice(2, 2 + SEEN_CHARS)}${address.slice(-SEEN_CHARS)}`
  const isBait = (address: string) =>
    movements.get(address)?.every(({ units, usd }) => units === 0n || (usd ?? 0) < 1) ?? false
  const alike = [...Map.groupBy(addresses, seenAs).values()].filter(({ length }) => length > 1)
  return new Set(alike.flatMap((group) => (group.every(isBait) ? [] : group.filter(isBait))))
}
