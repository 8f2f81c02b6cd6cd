import type { TransferKind } from './transfer.ts'

/** What a transaction added to each address, in the smallest unit; negative: what it took away. */
export type Nets = ReadonlyMap<string, bigint>

export const ZERO_ADDRESS = `0x${'0'.repeat(40)}`

/** A transaction seen as a movement between owners. Amounts are in the smallest unit. */
export type Movement = {
  amount: bigint
  from: string | undefined
  to: string | undefined
  fromExchange: string | undefined
  toExchange: string | undefined
  kind: TransferKind
  /** What exchanges got and gave, each exchange as a whole. */
  intoExchanges: bigint
  outOfExchanges: bigint
}

/**
 * Only what is left at the end counts: money that passes through an address, comes back as change or is lent for one
 * transaction nets to nothing. Undefined where nothing moved.
 */
export function toMovement(
  nets: Nets,
  exchangeOf: (address: string) => string | undefined,
): Movement | undefined {
  let [amount, most, least] = [0n, 0n, 0n]
  let [from, to]: (string | undefined)[] = []
  const exchanges = new Map<string, bigint>()
  for (const [address, net] of nets) {
    if (net > 0n) amount += net
    if (net > most) [most, to] = [net, address]
    if (net < least) [least, from] = [net, address]
    const exchange = exchangeOf(address)
    if (exchange !== undefined) exchanges.set(exchange, (exchanges.get(exchange) ?? 0n) + net)
  }
  if (amount === 0n) return undefined
  const fromExchange = from === undefined ? undefined : exchangeOf(from)
  const toExchange = to === undefined ? undefined : exchangeOf(to)
  let [intoExchanges, outOfExchanges] = [0n, 0n]
  for (const net of exchanges.values()) {
    if (net > 0n) intoExchanges += net
    else outOfExchanges -= net
  }
  const kind = kindOf({ from, to, fromExchange, toExchange })
  return { amount, from, to, fromExchange, toExchange, kind, intoExchanges, outOfExchanges }
}

type Ends = Pick<Movement, 'from' | 'to' | 'fromExchange' | 'toExchange'>

function kindOf({ from, to, fromExchange, toExchange }: Ends): TransferKind {
  if (from === ZERO_ADDRESS) return 'mint'
  if (to === ZERO_ADDRESS) return 'burn'
  if (fromExchange !== undefined && toExchange !== undefined)
    return fromExchange === toExchange ? 'internal' : 'between_exchanges'
  if (toExchange !== undefined) return 'to_exchange'
  return fromExchange === undefined ? 'unlabelled' : 'from_exchange'
}

/** Adds to an address; for building `Nets`. */
export function addNet(nets: Map<string, bigint>, address: string, amount: bigint): void {
  nets.set(address, (nets.get(address) ?? 0n) + amount)
}
