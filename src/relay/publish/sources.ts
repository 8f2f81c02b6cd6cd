import type { Bot } from '../../bot/bot.ts'
import { COINS } from '../../core/coin.ts'
import type { Clock } from '../../core/time/clock.ts'
import { WINDOW_S, windowAt } from '../../core/time/window.ts'
import type { Feeds } from '../../feeds/feeds.ts'
import type { OperatorAccount } from '../../feeds/prediction/account/operator-account.ts'
import type { FiveMinuteFeed } from '../../feeds/prediction/five-minute-markets.ts'
import type { MarketList } from '../../feeds/prediction/list/market-list.ts'
import type { PublicBot, Wallet } from '../../products/bot/public-bot.ts'
import type { Latest } from '../../record/record-reader.ts'
import type { SignalEngine } from '../../signals/live/engine.ts'
import type { OwnMarket } from '../market/market-change.ts'
import type { Told } from './told-values.ts'

/** What the engine has and other processes read. */
export type Sources = {
  market: OwnMarket
  signals: Pick<SignalEngine, 'signal' | 'missing'>
  fiveMinute: Pick<FiveMinuteFeed, 'open' | 'missing' | 'market' | 'health'>
  list: MarketList
  /** Undefined where no account is configured. */
  account: OperatorAccount | undefined
  feeds: Pick<Feeds, 'health'>
  bot: Pick<Bot, 'status'>
  publicBot: Pick<PublicBot, 'wallet'>
  record: { latest(): Pick<Latest, 'head'> }
}

/** What is asked for on sight. */
const SOON = 1
/** What nobody waits for: once a second. */
const LATER = 10
/** Around the open window: the one before gives its price to beat. */
const WINDOWS_TOLD = [-2, -1, 0, 1, 2]

export function toldOf(sources: Sources, clock: Clock): readonly Told[] {
  const { signals, fiveMinute, feeds, record } = sources
  return [
    ...COINS.flatMap((coin): Told[] => [
      {
        name: `signal:${coin}`,
        everyTurns: SOON,
        read: () => ({ signal: signals.signal(coin), missing: signals.missing(coin) }),
      },
      {
        name: `window:${coin}`,
        everyTurns: SOON,
        read: () => ({ open: fiveMinute.open(coin), missing: fiveMinute.missing(coin) }),
      },
      {
        name: `known:${coin}`,
        everyTurns: LATER,
        read: () =>
          WINDOWS_TOLD.flatMap(
            (away) => fiveMinute.market(coin, windowAt(clock.now()).startS + away * WINDOW_S) ?? [],
          ),
      },
    ]),
    { name: 'venue', everyTurns: LATER, read: () => fiveMinute.health() },
    { name: 'feeds', everyTurns: LATER, read: () => feeds.health() },
    { name: 'record', everyTurns: SOON, read: () => ({ treeSize: record.latest().head?.treeSize ?? 0 }) },
    toldBot(sources),
  ]
}

/** The wallet is read from the account and the ledger once in a window: what was read last is told. */
function toldBot({ bot, publicBot }: Sources): Told {
  let wallet: Wallet | undefined
  let isAsking = false
  const ask = () => {
    if (isAsking) return
    isAsking = true
    publicBot
      .wallet()
      .then(
        (read) => {
          wallet = read
        },
        // Not known now.
        () => {
          wallet = undefined
        },
      )
      .finally(() => {
        isAsking = false
      })
  }
  return {
    name: 'bot',
    everyTurns: LATER,
    read() {
      ask()
      const { state, broker, config, breaker, startedMs, lastReconciledMs } = bot.status()
      const status = { state, broker, config, breaker, startedMs, lastReconciledMs }
      return { status, wallet: wallet?.broker === broker ? wallet : undefined }
    },
  }
}
