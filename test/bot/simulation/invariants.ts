import type { TradingConfig } from '../../../src/bot/trading-config.ts'
import type { BrokerName, FillRow, OrderRow } from '../../../src/ledger/ports/bot-book.ts'
import type { TrueAccount, TrueFill } from './account.ts'
import type { SimDisk } from './disk.ts'
import type { Violation } from './violation.ts'

type Aftermath = {
  broker: BrokerName
  disk: SimDisk
  account: TrueAccount
  startCashE6: bigint
  config: TradingConfig
  isWon(tokenId: string): boolean
}

/** What must hold once everything is over, between our ledger and the account as the other side keeps it. */
export function findViolations(world: Aftermath): Violation[] {
  return [
    ...orderFaults(world),
    ...fillFaults(world),
    ...moneyFaults(world),
    ...tradeFaults(world),
    ...redemptionFaults(world),
    ...dayFaults(world),
    ...breakerFaults(world),
  ]
}

const broken = (rule: string, subject: string): Violation => ({ rule, subject })
const ownOrders = ({ disk, broker }: Aftermath): OrderRow[] =>
  [...disk.bot.orders.values()].filter((row) => row.broker === broker)
const good = (fills: readonly TrueFill[]) => fills.filter(({ state }) => state !== 'failed')

function orderFaults(world: Aftermath): Violation[] {
  const { account, disk } = world
  const known = new Map(ownOrders(world).map((row) => [row.clientOrderId, row]))
  const perId = Map.groupBy(account.orders, ({ clientOrderId }) => clientOrderId)
  const ofRound = good(account.fills).filter(({ clientOrderId }) => clientOrderId.startsWith('r-'))
  const perWindow = Map.groupBy(ofRound, ({ market }) => market.market.slug)
  return [
    ...[...perId].flatMap(([id, orders]) =>
      orders.length > 1 ? broken('one client order id is one order', id) : [],
    ),
    ...[...perId.keys()].flatMap((id) =>
      known.has(id) ? [] : broken('every order at the venue is in the ledger', id),
    ),
    ...[...perWindow].flatMap(([slug, fills]) =>
      new Set(fills.map(({ orderId }) => orderId)).size > 1
        ? broken('one order per window and coin', slug)
        : [],
    ),
    ...[...disk.bot.open].map((id) => broken('every order is closed in the end', id)),
    ...[...known.values()].flatMap(({ clientOrderId, origin, coin, windowStartS }) =>
      origin === 'operator' || hasDecision(disk, coin, windowStartS)
        ? []
        : broken('every order has its decision', clientOrderId),
    ),
  ]
}

const hasDecision = (disk: SimDisk, coin: string, windowStartS: number) =>
  (disk.bot.decisionsOf.get(`${windowStartS} ${coin}`) ?? []).some(({ action }) => action === 'buy')

function fillFaults(world: Aftermath): Violation[] {
  const rows = ownOrders(world).flatMap(({ clientOrderId, fills }) =>
    fills.map((fill) => [`${clientOrderId} ${fill.tradeId}`, fill] as const),
  )
  const ours = new Map<string, FillRow>(rows)
  const theirs = new Map(world.account.fills.map((fill) => [`${fill.clientOrderId} ${fill.tradeId}`, fill]))
  const amounts = ['sharesE6', 'notionalE6', 'feeE6', 'state'] as const
  return [
    ...[...theirs].flatMap(([key, fill]) => {
      const row = ours.get(key)
      if (!row) return broken('no fill is lost', key)
      return amounts
        .filter((name) => row[name] !== fill[name])
        .map((name) =>
          broken(`a fill has the ${name} of the venue`, `${key}: ${row[name]} for ${fill[name]}`),
        )
    }),
    ...[...ours.keys()].flatMap((key) => (theirs.has(key) ? [] : broken('no fill is made up', key))),
  ]
}

/** To the last unit, from our own rows alone. */
function moneyFaults(world: Aftermath): Violation[] {
  const { account, disk, broker, startCashE6 } = world
  let cashE6 = startCashE6
  const shares = new Map<string, bigint>()
  for (const { side, tokenId, fills } of ownOrders(world))
    for (const { state, notionalE6, feeE6, sharesE6 } of fills) {
      if (state === 'failed') continue
      const sign = side === 'BUY' ? 1n : -1n
      cashE6 -= sign * notionalE6 + feeE6
      shares.set(tokenId, (shares.get(tokenId) ?? 0n) + sign * sharesE6)
    }
  for (const row of disk.bot.redemptions.values())
    if (row.broker === broker && row.state === 'done') cashE6 += row.amountE6
  const tokens = new Set([...shares.keys(), ...account.tokens])
  return [
    ...(cashE6 === account.cashE6
      ? []
      : [broken('cash agrees to the last unit', `${cashE6} for ${account.cashE6}`)]),
    ...(account.lowestCashE6 < 0n
      ? [broken('no more is spent than there is', `${account.lowestCashE6}`)]
      : []),
    ...[...tokens].flatMap((tokenId) => {
      const left = account.sharesOf(tokenId)
      // Of shares that lost it does not matter whether somebody had them redeemed for nothing.
      const isWon = world.isWon(tokenId)
      const expected = isWon ? 0n : (shares.get(tokenId) ?? 0n)
      return left === expected || (left === 0n && !isWon)
        ? []
        : broken('shares agree to the last unit', `${tokenId}: ${expected} for ${left}`)
    }),
  ]
}

function tradeFaults({ account, disk, broker }: Aftermath): Violation[] {
  const rows = new Map(
    disk.bot.trades.filter((row) => row.broker === broker).map((row) => [row.conditionId, row]),
  )
  const perMarket = Map.groupBy(good(account.fills), ({ market }) => market.market.conditionId)
  return [
    ...[...perMarket].flatMap(([conditionId, fills]) => {
      const row = rows.get(conditionId)
      if (!row) return broken('every market that was traded is settled', conditionId)
      const profitE6 = profitOf(fills)
      const isRight = row.profitE6 === profitE6 && row.outcome === fills[0]?.market.outcome
      return isRight
        ? []
        : broken('a trade has its profit', `${conditionId}: ${row.profitE6} for ${profitE6}`)
    }),
    ...[...rows.values()].flatMap(({ conditionId, costE6 }) =>
      costE6 === 0n || perMarket.has(conditionId) ? [] : broken('no trade is made up', conditionId),
    ),
  ]
}

/** What the fills of one market brought, now that it is resolved. */
function profitOf(fills: readonly TrueFill[]): bigint {
  let profitE6 = 0n
  for (const { side, tokenId, market, sharesE6, notionalE6, feeE6 } of fills) {
    const sign = side === 'BUY' ? 1n : -1n
    const won = market.outcome === 'UP' ? market.market.tokens.up : market.market.tokens.down
    profitE6 += (tokenId === won ? sign * sharesE6 : 0n) - sign * notionalE6 - feeE6
  }
  return profitE6
}

function redemptionFaults({ account, disk, broker }: Aftermath): Violation[] {
  const rows = [...disk.bot.redemptions.values()].filter((row) => row.broker === broker)
  const paid = new Map<string, bigint>()
  for (const { conditionId, amountE6 } of account.redemptions)
    paid.set(conditionId, (paid.get(conditionId) ?? 0n) + amountE6)
  return [
    ...rows.flatMap(({ conditionId, state, amountE6 }) =>
      state === 'done' && amountE6 === (paid.get(conditionId) ?? 0n)
        ? []
        : broken(
            'a redemption is what was paid',
            `${conditionId}: ${state} ${amountE6} for ${paid.get(conditionId) ?? 0n}`,
          ),
    ),
    ...[...disk.bot.winningShares].flatMap(([key]) =>
      key.startsWith(broker) ? broken('every win is redeemed', key) : [],
    ),
  ]
}

/** A day loses no more than the limit and one position. */
function dayFaults({ account, config }: Aftermath): Violation[] {
  const perMarket = Map.groupBy(good(account.fills), ({ market }) => market.market.conditionId)
  const days = new Map<number, bigint>()
  let largestE6 = 0n
  for (const fills of perMarket.values()) {
    const day = Math.floor((fills[0]?.market.startS ?? 0) / 86_400)
    days.set(day, (days.get(day) ?? 0n) + profitOf(fills))
    const costE6 = fills
      .filter(({ side }) => side === 'BUY')
      .reduce((sum, { notionalE6, feeE6 }) => sum + notionalE6 + feeE6, 0n)
    if (costE6 > largestE6) largestE6 = costE6
  }
  const limitE6 = config.dailyLossLimitUsd + largestE6
  return [...days].flatMap(([day, profitE6]) =>
    profitE6 >= -limitE6
      ? []
      : broken('a day loses no more than its limit and one position', `${day}: ${profitE6}`),
  )
}

function breakerFaults({ disk }: Aftermath): Violation[] {
  return disk.bot.breaker.flatMap(({ kind, by, seq }) =>
    kind === 'reset' && by === 'bot' ? broken('only the operator resets the breaker', `row ${seq}`) : [],
  )
}
