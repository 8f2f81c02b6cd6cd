import type { Address } from 'viem'
import { isSameAddress } from '../../../prediction/accounts/api-keys.ts'
import type { AccountTrade, ApiKey } from '../../../prediction/accounts/rows.ts'
import type { OrderNews, TradingAccounts } from '../../../prediction/accounts/trading-accounts.ts'
import { findJsonObject, findStrings, isObject } from '../../json-frame.ts'
import { CONTROL, type Peer } from '../../peers.ts'
import { outcomeOf } from './account-routes.ts'
import { toOpenOrder, toUserTrade } from './format.ts'

const STREAM = 'user'
const MAX_MARKETS = 500
const CLOSE_REFUSED = 1008

type Session = { key: ApiKey; wallet: string; markets: Set<string>; peer: Peer }

export type UserSockets = { accept(peer: Peer): void; close(): void }

/** The user channel: orders and trades of the account whose key the first message shows. */
export function createUserSockets(accounts: TradingAccounts): UserSockets {
  const sessions = new Set<Session>()
  const tell = (row: { wallet: string; conditionId: string }, make: () => unknown) => {
    for (const session of sessions) {
      const isWanted = session.markets.size === 0 || session.markets.has(row.conditionId)
      if (isWanted && isSameAddress(session.wallet, row.wallet))
        session.peer.send(STREAM, JSON.stringify(make()))
    }
  }
  const stops = [
    accounts.onOrder((news) => tell(news.order, () => toOrderFrame(news))),
    accounts.onTrade((trade) => tell(trade, () => toTradeFrame(trade, outcomeOf(accounts, trade)))),
  ]
  return {
    accept(peer) {
      let session: Session | undefined
      peer.onGone(() => session && sessions.delete(session))
      peer.onText((text) => {
        if (text === 'PING') return peer.send(CONTROL, 'PONG')
        const frame = findJsonObject(text)
        if (session) return change(session, frame)
        const key = isObject(frame?.auth) ? findKey(accounts, frame.auth) : undefined
        if (!key) return peer.close(CLOSE_REFUSED, 'auth failed')
        const wallet = accounts.custody.walletOf(key.address as Address)
        session = { key, wallet, markets: new Set(), peer }
        change(session, { ...frame, operation: 'subscribe' })
        sessions.add(session)
      })
    },
    close() {
      for (const stop of stops) stop()
    },
  }
}

/** No markets at all means every market. */
function change({ markets, peer }: Session, frame: Readonly<Record<string, unknown>> | undefined): void {
  const names = findStrings(frame?.markets ?? [])
  const isOn = frame?.operation === 'subscribe'
  const isKnown = names !== undefined && (isOn || frame?.operation === 'unsubscribe')
  if (!isKnown) peer.send(CONTROL, 'INVALID OPERATION')
  for (const name of isKnown ? names : []) {
    if (!isOn) markets.delete(name)
    else if (markets.size < MAX_MARKETS) markets.add(name)
  }
}

function findKey({ keys }: TradingAccounts, auth: Readonly<Record<string, unknown>>): ApiKey | undefined {
  const { apiKey, secret, passphrase } = auth
  if (typeof apiKey !== 'string' || typeof secret !== 'string' || typeof passphrase !== 'string')
    return undefined
  return keys.findMatching({ apiKey, secret, passphrase })
}

function toOrderFrame({ type, order, atMs }: OrderNews) {
  const shown = toOpenOrder(order, [])
  return {
    ...shown,
    associate_trades: null,
    created_at: String(shown.created_at),
    event_type: 'order',
    order_owner: order.owner,
    timestamp: String(atMs),
    type,
  }
}

function toTradeFrame(trade: AccountTrade, outcome: string) {
  return {
    ...toUserTrade(trade, outcome),
    event_type: 'trade',
    timestamp: String(trade.updatedMs),
    trade_owner: trade.owner,
    type: 'TRADE',
  }
}
