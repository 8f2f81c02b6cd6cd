import { existsSync, readFileSync } from 'node:fs'
import { Chain, ClobClient, SignatureTypeV2 } from '@polymarket/clob-client-v2'
import { createWalletClient, http } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import { polygon } from 'viem/chains'
import { silentLog } from '../../src/core/log.ts'
import { startInternet } from '../../src/sandbox/internet.ts'
import { createSimulatedMarket } from '../../src/sandbox/market/simulated-market.ts'
import { openTradingAccounts } from '../../src/sandbox/prediction/accounts/trading-accounts.ts'
import { createPredictionVenue } from '../../src/sandbox/prediction/prediction-venue.ts'
import { createAccountsServer } from '../../src/sandbox/providers/polymarket/accounts/accounts.ts'
import { createDataServer } from '../../src/sandbox/providers/polymarket/data/data.ts'
import { isMissing } from '../../src/testing/missing.ts'
import { type LocalCustody, VENUE_START_MS } from '../../src/testing/sandbox/local-custody.ts'

export type TradingWorld = Awaited<ReturnType<typeof openTradingWorld>>

/** The whole venue on a clock that only moves on request: public order book, accounts, account data and contracts. */
export async function openTradingWorld(local: LocalCustody, { seed, file }: { seed: string; file?: string }) {
  const market = createSimulatedMarket({
    seed,
    startMs: Math.max(VENUE_START_MS, local.clock.now()),
    cadence: { bookEveryMs: 1_000, tradesPerSecond: 0.1 },
  })
  const venue = createPredictionVenue({ seed, market })
  const internet = await startInternet({ market, venue, clock: local.clock })
  const { custody } = local
  const accounts = await openTradingAccounts({ venue, custody, onTick: market.onTick, file, log: silentLog })
  const clob = createAccountsServer(accounts)
  internet.serveAccounts({ clob, poly_data: createDataServer(accounts) })
  return {
    ...{ market, venue, internet, custody, accounts },
    /** Lets the market's time pass, and waits for what the contracts do in it. */
    async pass(ms: number) {
      const untilMs = market.nowMs() + ms
      while (market.nowMs() < untilMs) {
        const nowMs = market.nowMs()
        await internet.advanceTo(Math.min(untilMs, nowMs + 1_000))
        if (market.nowMs() === nowMs) break
        local.clock.advanceTo(market.nowMs())
        await accounts.settled()
      }
    },
    /** The market of the window that is open now. */
    openWindow(coin = 'btc') {
      const startS = Math.floor(market.nowMs() / 300_000) * 300
      const found = venue.findBySlug(`${coin}-updown-5m-${startS}`)
      if (!found) throw new Error('no such window')
      return found
    },
    async data(path: string) {
      const reply = await fetch(internet.urls.POLY_DATA + path)
      // biome-ignore lint/suspicious/noExplicitAny: the tests say what they expect in it
      return { status: reply.status, body: (await reply.json()) as any }
    },
    async close() {
      clob.close()
      accounts.close()
      await internet.close()
      venue.close()
    },
  }
}

type Account = { owner: PrivateKeyAccount; wallet: string }

/** The official client as its documentation sets it up for a deposit wallet. It asks the venue for the time. */
export function officialClient(world: TradingWorld, { owner, wallet }: Account, options: object = {}) {
  const signer = createWalletClient({ account: owner, chain: polygon, transport: http('http://127.0.0.1:1') })
  return new ClobClient({
    host: world.internet.urls.CLOB,
    chain: Chain.POLYGON,
    signer,
    signatureType: SignatureTypeV2.POLY_1271,
    funderAddress: wallet,
    useServerTime: true,
    ...options,
  })
}

export async function connected(world: TradingWorld, account: Account, options: object = {}) {
  const creds = await officialClient(world, account).createOrDeriveApiKey()
  return officialClient(world, account, { creds, ...options })
}

// Payloads recorded from the real services lie beside the project where it is developed, not in it.
const RECORDED = new URL('../../../shared/fixtures/recorded/', import.meta.url)
export const areMissing = isMissing('recordedReplies', existsSync(RECORDED))
export const recorded = (file: string) => JSON.parse(readFileSync(new URL(file, RECORDED), 'utf8'))

/** Key names and JSON types, all the way down; a list is as its first item. */
export function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map(shapeOf)
  if (typeof value !== 'object' || value === null) return value === null ? 'null' : typeof value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, shapeOf(each)]))
}
