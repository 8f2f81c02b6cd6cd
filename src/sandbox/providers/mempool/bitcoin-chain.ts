import { createHash } from 'node:crypto'
import { createBoundedCache } from '../../../core/bounded-cache.ts'
import { createDraws, createRandomStream } from '../../../core/math/random.ts'
import { MINUTE_MS } from '../../../core/time/time.ts'
import type { TokenWorld, WhaleMove } from '../../tokens/token-world.ts'

export type SimEnd = { address: string; sats: number }
export type SimTransaction = {
  txid: string
  inputs: readonly SimEnd[]
  outputs: readonly SimEnd[]
  feeSats: number
  vsize: number
  /** When it was sent; it waits for the next block. */
  sentMs: number
}
export type SimBlock = { hash: string; height: number; atMs: number; transactions: readonly SimTransaction[] }

/** Bitcoin as it is simulated: bitcoin that moves wrapped on Base moves on its own chain, too, among small payments. */
export type BitcoinChain = {
  /** Newest first. */
  blocks(nowMs: number, count: number): readonly SimBlock[]
  block(hash: string, nowMs: number): SimBlock | undefined
  /** Newest first. */
  pending(nowMs: number): readonly SimTransaction[]
  transaction(txid: string, nowMs: number): { found: SimTransaction; block: SimBlock | undefined } | undefined
}

const BLOCK_MS = 10 * MINUTE_MS
const FIRST_HEIGHT = 900_000
const FIRST_BLOCK_MS = Date.UTC(2025, 5, 1)
const PAYMENTS_PER_BLOCK = 40
const DRAWS_EACH = 8
/** Six hours back: who asks for older blocks does not find them. */
const BLOCKS_KEPT = 36
const SATS = 1e8

export const hexOf = (name: string): string => createHash('sha256').update(`sandbox/${name}`).digest('hex')
/** Hashes of blocks begin with zeros. */
export const blockHash = (height: number): string => `${'0'.repeat(19)}${hexOf(`block/${height}`).slice(19)}`
/** Of a test network, so that it is nobody's on the real one. */
export const bitcoinAddress = (owner: string): string => `bcrt1q${hexOf(`address/${owner}`).slice(0, 38)}`

export function createBitcoinChain(tokens: TokenWorld | undefined): BitcoinChain {
  const draws = createDraws(createRandomStream('bitcoin', 'payments'))
  const made = createBoundedCache<number, SimBlock>({ capacity: BLOCKS_KEPT })

  const indexAt = (ms: number) => Math.floor((ms - FIRST_BLOCK_MS) / BLOCK_MS)
  const timeOf = (index: number) => FIRST_BLOCK_MS + index * BLOCK_MS
  const isWrapped = ({ token }: WhaleMove) => tokens?.token(token)?.symbol === 'cbBTC'
  const sentBetween = (fromMs: number, toMs: number): SimTransaction[] =>
    (tokens?.whaleMoves(fromMs, toMs) ?? []).filter(isWrapped).map(toTransaction)

  /** Small payments of a block's time, spread evenly over it. */
  const paymentsOf = (index: number): SimTransaction[] =>
    Array.from({ length: PAYMENTS_PER_BLOCK }, (_, each) => {
      draws.seek((index * PAYMENTS_PER_BLOCK + each) * DRAWS_EACH)
      const sats = Math.round(0.02 * SATS * Math.exp(1.5 * draws.normal()))
      const name = `payment/${index}/${each}`
      return pay(
        name,
        `${name}/from`,
        `${name}/to`,
        sats,
        timeOf(index - 1) + (each * BLOCK_MS) / PAYMENTS_PER_BLOCK,
      )
    })
  const blockAt = (index: number): SimBlock => {
    const known = made.get(index)
    if (known) return known
    const atMs = timeOf(index)
    const block = {
      hash: blockHash(FIRST_HEIGHT + index),
      height: FIRST_HEIGHT + index,
      atMs,
      transactions: [minedBy(index), ...sentBetween(atMs - BLOCK_MS, atMs), ...paymentsOf(index)],
    }
    made.set(index, block)
    return block
  }
  /** Newest first; each is made when it is its turn. */
  function* blocksBack(nowMs: number, count: number) {
    for (let back = 0; back < Math.min(count, BLOCKS_KEPT); back++) yield blockAt(indexAt(nowMs) - back)
  }
  const pending = (nowMs: number) => {
    const last = indexAt(nowMs)
    const payments = paymentsOf(last + 1).filter(({ sentMs }) => sentMs <= nowMs)
    return [...sentBetween(timeOf(last), nowMs), ...payments].sort((a, b) => b.sentMs - a.sentMs)
  }
  return {
    blocks: (nowMs, count) => [...blocksBack(nowMs, count)],
    block(hash, nowMs) {
      for (const block of blocksBack(nowMs, BLOCKS_KEPT)) if (block.hash === hash) return block
      return undefined
    },
    pending,
    transaction(txid, nowMs) {
      const isIt = (each: SimTransaction) => each.txid === txid
      const waiting = pending(nowMs).find(isIt)
      if (waiting) return { found: waiting, block: undefined }
      for (const block of blocksBack(nowMs, BLOCKS_KEPT)) {
        const found = block.transactions.find(isIt)
        if (found) return { found, block }
      }
      return undefined
    },
  }
}

function toTransaction({ id, from, to, amount, atMs }: WhaleMove): SimTransaction {
  // The token has eight decimals, as bitcoin has.
  return pay(`move/${id}`, from, to, Number(amount), atMs)
}

/** Somebody pays out of an output that was larger, and gets the rest back. */
function pay(name: string, from: string, to: string, sats: number, sentMs: number): SimTransaction {
  const feeSats = 1_410
  const rest = Math.round(sats * 0.3) + 10_000
  return {
    txid: hexOf(name),
    inputs: [{ address: bitcoinAddress(from), sats: sats + rest + feeSats }],
    outputs: [
      { address: bitcoinAddress(to), sats },
      { address: bitcoinAddress(from), sats: rest },
    ],
    feeSats,
    vsize: 141,
    sentMs,
  }
}

const minedBy = (index: number): SimTransaction => ({
  txid: hexOf(`mined/${index}`),
  inputs: [],
  outputs: [{ address: bitcoinAddress('miner'), sats: 3.125 * SATS }],
  feeSats: 0,
  vsize: 200,
  sentMs: FIRST_BLOCK_MS + index * BLOCK_MS,
})
