import type { Clock } from '../../core/time/clock.ts'
import type { Page, ScoutAddress, ScoutTransfer } from '../../upstreams/blockscout/wire.ts'
import { UpstreamError } from '../../upstreams/upstream.ts'
import type { TokenFactsReader } from '../tokens/facts/token-facts.ts'
import { toActivity } from './activity.ts'
import { isVouchedFor, toApprovals } from './approvals.ts'
import { toCounterparties } from './counterparties.ts'
import { rankBy } from './facts/approval-order.ts'
import type { HeldTokens } from './facts/holdings.ts'
import { createSpenders } from './facts/spenders.ts'
import { createTokenQuotes, type TokenQuotes } from './facts/token-quotes.ts'
import { createWalletFacts, type WalletFacts } from './facts/wallet-facts.ts'
import type { WalletPorts } from './facts/wallet-ports.ts'
import { findWellKnown } from './facts/well-known-spenders.ts'
import { isReportedScam, shownLabel } from './labels.ts'
import { type Movement, priceByToken, toMovements } from './movements.ts'
import { listedSinceMs } from './own-transactions.ts'
import { findThefts } from './thefts.ts'
import type { Approvals, WalletFigures, WalletWealth } from './wallet-analysis.ts'
import { MIN_LIQUIDITY_USD, toWealth } from './wealth.ts'

export type FiguresReader = {
  /** Rejects with an `UpstreamError` where neither node nor explorer tells what the wallet has. */
  read(wallet: string): Promise<WalletFigures>
}

type Ports = {
  ports: WalletPorts
  tokens: Pick<TokenFactsReader, 'readOne'>
  findExchange(address: string): string | undefined
  clock: Clock
  random: () => number
}

const WETH = '0x4200000000000000000000000000000000000006'

export function createWalletFigures({ ports, tokens, findExchange, clock, random }: Ports): FiguresReader {
  const facts = createWalletFacts({ ports, clock, random })
  const quotes = createTokenQuotes({ clock, tokens })
  const spenders = createSpenders({ ...ports, clock, random })
  return {
    async read(wallet) {
      const found = await facts.read(wallet)
      const wei = found.account.value?.wei ?? found.explorer?.value?.wei
      if (found.account.value === undefined && found.explorer?.value === undefined)
        throw new UpstreamError('down', 'neither node nor explorer tells of the account')
      const held = found.holdings.value
      // A total without them would be wrong, not incomplete.
      if (!held) throw new UpstreamError('down', 'nobody tells of the holdings')
      const [quoted, who] = await Promise.all([
        quotes.read(held.rows, passingTokens(found, held), approvedTokens(found)),
        spenders.read(byDanger(found, held)),
      ])
      return toFigures({
        wallet,
        wei,
        found,
        held,
        quoted,
        who,
        findExchange,
        nowMs: clock.now(),
      })
    },
  }
}

/** Tokens of recent transfers that are not held any more, the most frequent first. */
function passingTokens({ transfers }: WalletFacts, held: HeldTokens): readonly string[] {
  const own = new Set(held.rows.map(({ token }) => token))
  const counts = Map.groupBy(transfers.value?.rows ?? [], ({ token }) => token.address as string)
  return [...counts]
    .filter(([token]) => !own.has(token))
    .sort(([, a], [, b]) => b.length - a.length)
    .map(([token]) => token)
}

const approvedTokens = ({ approvals }: WalletFacts): ReadonlySet<string> =>
  new Set(approvals.value?.rows.map(({ token }) => token))

/** Those of tokens that count first, and of these the ones with the largest allowances. */
function byDanger({ approvals }: WalletFacts, held: HeldTokens): readonly string[] {
  const rankOf = rankBy(held)
  return (approvals.value?.rows ?? [])
    .toSorted(
      (a, b) =>
        rankOf(a.token) - rankOf(b.token) ||
        (a.allowance === b.allowance ? 0 : a.allowance < b.allowance ? 1 : -1),
    )
    .map(({ spender }) => spender)
}

type Input = {
  wallet: string
  wei: bigint | undefined
  found: WalletFacts
  held: HeldTokens
  quoted: TokenQuotes
  who: Parameters<typeof toApprovals>[0]['spenders']
  findExchange(address: string): string | undefined
  nowMs: number
}

function toFigures({ wallet, wei, found, held, quoted, who, findExchange, nowMs }: Input): WalletFigures {
  const [account, about] = [found.account.value, found.explorer?.value]
  const [transfers, transactions] = [found.transfers.value, found.transactions.value]
  const etherPriceUsd = quoted.of.get(WETH)?.priceUsd
  const wealth = toWealth({ wei, held, quotes: quoted.of, etherPriceUsd })
  const priceOf = priceByToken(wealth.holdings, (token) => quoted.of.get(token), MIN_LIQUIDITY_USD)
  const fromMs = listedSinceMs({ wallet, account, transactions })
  const toMs = found.transactions.asOfMs
  const listed = fromMs === undefined || toMs === undefined ? undefined : { fromMs, toMs }
  const movements = toMovements({ wallet, transfers, transactions, priceOf, etherPriceUsd, listed })
  const approvals =
    found.approvals.value &&
    toApprovals({ open: found.approvals.value, wealth, spenders: who, passed: movements })
  const scams = wealth.holdings.filter(({ valuation }) => valuation === 'scam').map(({ token }) => token)
  const worthless = wealth.holdings.filter(({ valueUsd }) => valueUsd === 0).map(({ token }) => token)
  const areMovementsKnown = found.transfers.status !== 'missing'
  const own = ownParties(wallet, transfers)
  const { firstTransaction } = found
  const history = { transfers, transactions, movements, firstTransaction }
  const activity = toActivity({ wallet, nowMs, account, ...history })
  const label = own.find((party) => party.label !== '')?.label || about?.name || undefined
  return {
    address: wallet,
    kind:
      account?.kind ??
      (about?.isContract === undefined ? 'unknown' : about.isContract ? 'contract' : 'account'),
    delegate: account?.delegate,
    label: shownLabel(label),
    isReported: own.some(isReportedScam) || (about !== undefined && isReportedScam(named(about))),
    wealth,
    activity,
    counterparties: areMovementsKnown
      ? toCounterparties({
          movements,
          isComplete: !(transfers?.hasMore ?? false) && transactions?.hasMore === false && !activity.hasGap,
          thefts: theftsOf(movements, approvals, wealth, findExchange),
          creators: new Set(scams.flatMap((token) => quoted.of.get(token)?.creator ?? [])),
          worthless: new Set(worthless),
          findExchange,
        })
      : undefined,
    approvals,
    parts: toParts(found, quoted),
    asOfMs: asOf(found, nowMs),
  }
}

function theftsOf(
  movements: readonly Movement[],
  approvals: Approvals | undefined,
  { holdings }: WalletWealth,
  findExchange: Ports['findExchange'],
) {
  const units = new Map(holdings.map((holding) => [holding.token, holding.units]))
  return findThefts({
    movements,
    open:
      approvals?.open.filter(({ spenderKind, isVerified }) => isVerified && !isVouchedFor(spenderKind)) ?? [],
    unitsOf: (token) => units.get(token) ?? 0n,
    isTrusted: (address) => (findWellKnown(address) ?? findExchange(address)) !== undefined,
  })
}

/** What people call it and think of it stands where it takes part in a transfer. */
function ownParties(wallet: string, transfers: Page<ScoutTransfer> | undefined) {
  const parties = transfers?.rows.flatMap(({ from, to }) => [from, to]) ?? []
  return parties.filter(({ address }) => address === wallet)
}

const named = ({ name, isContract, isScam }: ScoutAddress) => ({ label: name, tags: [], isContract, isScam })

function toParts(found: WalletFacts, { part }: TokenQuotes): WalletFigures['parts'] {
  return {
    account: found.account.status === 'missing' && found.explorer ? found.explorer : found.account,
    holdings: found.holdings,
    prices: part,
    transfers: found.transfers,
    transactions: found.transactions,
    approvals: found.approvals,
    first_transaction: found.firstTransaction,
  }
}

/** Of the account and of the holdings, whichever is older. */
function asOf({ account, explorer, holdings }: WalletFacts, nowMs: number): number {
  return Math.min(account.asOfMs ?? explorer?.asOfMs ?? nowMs, holdings.asOfMs ?? nowMs)
}
