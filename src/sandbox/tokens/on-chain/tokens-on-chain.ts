import type { Address } from 'viem'
import type { Log } from '../../../core/log.ts'
import type { Clock } from '../../../core/time/clock.ts'
import { MINUTE_MS, SECOND_MS } from '../../../core/time/time.ts'
import type { Rpc } from '../../chains/evm/rpc-client.ts'
import type { SimulatedMarket } from '../../market/simulated-market.ts'
import { holderOf } from '../pool-holder.ts'
import type { SimToken, TokenWorld } from '../token-world.ts'
import { sendAs } from './chain-calls.ts'
import { openWallets } from './open-wallets.ts'
import { createPlaceCode } from './place-code.ts'
import { plantTokens } from './plant-tokens.ts'
import { setBalance, setBalances } from './set-balances.ts'

export type TokensOnChainInput = {
  rpc: Rpc
  world: TokenWorld
  market: Pick<SimulatedMarket, 'nowMs'>
  clock: Clock
  log: Log
}

export type TokensOnChain = {
  /** Brings the chain to the market's time; also runs by itself. */
  catchUp(): Promise<void>
  /** What is under way may still be written, or fail with the chain; the next start sets all of it. */
  close(): void
}

const LOOK_EVERY_MS = 2 * SECOND_MS
/** Payments come first: putting all of it on the chain takes a while. */
const FIRST_LOOK_MS = 8 * SECOND_MS
/** After a longer pause the chain is set to how things stand, instead of living through all of it. */
const MAX_BEHIND_MS = 10 * MINUTE_MS
/** In one look. Large ones move less than twenty times an hour, small ones about a hundred times. */
const MAX_MOVES = 40

/** Keeps the tokens of the world on the local chain: new ones appear, and what moves is a transaction at its time. */
export function openTokensOnChain(input: TokensOnChainInput): TokensOnChain {
  const { rpc, world, market, clock, log } = input
  let atMs = market.nowMs()
  let isPlanted = false
  /** Whether the balances must be looked at, because something failed halfway. */
  let isUnsure = false
  let unsent: readonly Move[] = []
  const placeCode = createPlaceCode(rpc, world)
  const plant = async () => {
    atMs = market.nowMs()
    const there = await plantTokens(rpc, world, world.tokens, atMs)
    await Promise.all([setBalances(rpc, world, there, atMs), openWallets(rpc, world.wallets), placeCode()])
    isPlanted = true
  }
  const sendAll = async () => {
    for (const move of unsent) {
      await send(rpc, move)
      unsent = unsent.slice(1)
    }
  }
  const follow = async () => {
    if (!isPlanted) return plant()
    const nowMs = market.nowMs()
    const { tokens } = world
    unsent = [...unsent, ...movesBetween(world, atMs + 1, nowMs + 1)]
    const isLate = nowMs - atMs > MAX_BEHIND_MS || unsent.length > MAX_MOVES
    const rugged = tokens.filter(({ ruggedAtMs }) => isBetween(ruggedAtMs, atMs, nowMs))
    atMs = nowMs
    if (isLate) unsent = []
    const mustSet = isLate || isUnsure
    isUnsure = true
    await plantTokens(rpc, world, tokens, nowMs)
    await placeCode()
    await sendAll()
    if (mustSet) await Promise.all([setBalances(rpc, world, tokens, nowMs), openWallets(rpc, world.wallets)])
    else for (const token of rugged) await drain(rpc, world, token, nowMs)
    isUnsure = false
  }
  let running: Promise<void> = Promise.resolve()
  let isRunning = false
  const catchUp = async () => {
    if (isRunning) return running
    isRunning = true
    running = follow()
      .catch((error: unknown) => log.debug({ error: String(error) }, 'the tokens on the chain are behind'))
      .finally(() => {
        isRunning = false
      })
    return running
  }
  let stop = () => {}
  const cancel = clock.after(FIRST_LOOK_MS, () => {
    void catchUp()
    stop = clock.every(LOOK_EVERY_MS, () => void catchUp())
  })
  return {
    catchUp,
    close() {
      cancel()
      stop()
    },
  }
}

type Move = { from: Address; to: Address; token: Address; amount: bigint; isFromOutside: boolean }

/** Large and small ones, oldest first. The world does not say what those have whom small ones come from. */
function movesBetween(world: TokenWorld, fromMs: number, toMs: number): readonly Move[] {
  const large = world.whaleMoves(fromMs, toMs).map((move) => ({ ...move, isFromOutside: false }))
  const small = world
    .smallTransfers(fromMs, toMs)
    .map((move) => ({ ...move, isFromOutside: world.wallet(move.from) === undefined }))
  return [...large, ...small].sort((a, b) => a.atMs - b.atMs)
}

/** Rejects only where the chain did not take it, so that it may be sent again. */
async function send(rpc: Rpc, { from, to, token, amount, isFromOutside }: Move): Promise<void> {
  const count = () => rpc('eth_getTransactionCount', from, 'latest')
  const before = await count()
  try {
    if (isFromOutside) await setBalance(rpc, { token, address: from, amount })
    await sendAs(rpc, from, { to: token, name: 'transfer', args: [to, amount] })
  } catch (error) {
    if ((await count()) === before) throw error
  }
}

const isBetween = (ms: number | undefined, fromMs: number, toMs: number) =>
  ms !== undefined && ms >= fromMs && ms < toMs

/** The creator takes what is in the pools. */
async function drain(rpc: Rpc, world: TokenWorld, token: SimToken, nowMs: number): Promise<void> {
  const before = world.holders(token.address, (token.ruggedAtMs ?? nowMs) - 1)
  for (const pool of token.pools) {
    const holder = holderOf(pool)
    const amount = (holders: typeof before) => holders.find(({ address }) => address === holder)?.amount ?? 0n
    const taken = amount(before) - amount(world.holders(token.address, nowMs))
    if (taken > 0n)
      await sendAs(rpc, holder, { to: token.address, name: 'transfer', args: [token.creator, taken] })
  }
}
