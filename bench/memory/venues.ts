import { systemClock } from '../../src/core/time/clock.ts'
import { startInternet } from '../../src/sandbox/internet.ts'
import { createSimulatedMarket } from '../../src/sandbox/market/simulated-market.ts'
import type { Tamper } from '../../src/sandbox/providers/peers.ts'

/** Levels of each side of a whole book at Coinbase: its snapshot has about three megabytes. */
const DEEP_LEVELS = 60_000
/** After each a client reads the snapshots of all books again. */
const DISCONNECT_EVERY_MS = 10_000

type Snapshot = { type: string; bids: string[][]; asks: string[][] }

/** The sandbox's books have a few levels; this adds those that rest far from the price. */
const deepen: Tamper = ({ venue, text }) => {
  if (venue !== 'coinbase' || !text.includes('"type":"snapshot"')) return [text]
  const snapshot = JSON.parse(text) as Snapshot
  for (const [side, direction] of [
    [snapshot.bids, -1],
    [snapshot.asks, 1],
  ] as const) {
    const worst = Number(side.at(-1)?.[0])
    for (let level = 1; level <= DEEP_LEVELS; level++)
      side.push([(worst * (1 + (direction * level) / (2 * DEEP_LEVELS))).toFixed(8), '1.23456789'])
  }
  return [JSON.stringify(snapshot)]
}

/** The sandbox's venues in a process of their own, with books as large as real ones. Prints their addresses. */
const market = createSimulatedMarket({ seed: 'memory', startMs: Date.now() })
const internet = await startInternet({ market, clock: systemClock, realTime: true, tamper: deepen })
setInterval(() => internet.disconnectAll('coinbase'), DISCONNECT_EVERY_MS)
process.stdout.write(`${JSON.stringify(internet.urls)}\n`)
