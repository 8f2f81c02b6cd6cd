import type { SimulatedMarket } from '../../market/simulated-market.ts'
import type { TokenWorld } from '../../tokens/token-world.ts'
import type { ProviderServer } from '../provider-server.ts'
import { ok, type Read, type Reply, readOnly } from '../reply.ts'
import {
  blockHash,
  createBitcoinChain,
  hexOf,
  type SimBlock,
  type SimEnd,
  type SimTransaction,
} from './bitcoin-chain.ts'

const BLOCKS_LISTED = 15
const RECENT_LISTED = 10
// mempool.space answers these as plain text.
const text = (status: number, body: string): Reply => ({
  status,
  headers: { 'content-type': 'text/plain; charset=utf-8' },
  body,
})

export function createMempoolServer(market: SimulatedMarket, tokens: TokenWorld | undefined): ProviderServer {
  return { rest: readOnly(createRead(market, tokens)), socketAt: () => undefined, close() {} }
}

function createRead(market: SimulatedMarket, tokens: TokenWorld | undefined): Read {
  const chain = createBitcoinChain(tokens)
  return (path) => {
    const nowMs = market.nowMs()
    if (path === '/api/v1/blocks') return ok(chain.blocks(nowMs, BLOCKS_LISTED).map(toBlock))
    if (path === '/api/mempool/recent') return ok(chain.pending(nowMs).slice(0, RECENT_LISTED).map(toSized))
    if (path === '/api/v1/prices') return ok(pricesAt(market, nowMs))
    if (path === '/api/v1/fees/recommended') return ok(feesAt(chain.pending(nowMs).length))
    const [, hash] = /^\/api\/v1\/block\/([0-9a-f]{64})\/summary$/.exec(path) ?? []
    if (hash !== undefined) {
      const block = chain.block(hash, nowMs)
      return block ? ok(block.transactions.map(toSummaryRow)) : text(404, 'Block not found')
    }
    const [, txid] = /^\/api\/tx\/([0-9a-f]{64})$/.exec(path) ?? []
    if (txid === undefined) return undefined
    const found = chain.transaction(txid, nowMs)
    return found ? ok(toFull(found.found, found.block)) : text(404, 'Transaction not found')
  }
}

const toBlock = ({ hash, height, atMs, transactions }: SimBlock) => ({
  id: hash,
  height,
  version: 536_870_912,
  timestamp: atMs / 1000,
  tx_count: transactions.length,
  size: transactions.length * 250,
  weight: transactions.length * 564,
  merkle_root: hexOf(`merkle/${height}`),
  previousblockhash: blockHash(height - 1),
  mediantime: atMs / 1000 - 3_000,
  nonce: height,
  bits: 386_521_239,
  difficulty: 28_587_155_782_195.1,
})

const sumOf = (ends: readonly SimEnd[]) => ends.reduce((sum, { sats }) => sum + sats, 0)
const toSized = ({ txid, feeSats, vsize, outputs }: SimTransaction) => ({
  txid,
  fee: feeSats,
  vsize,
  value: sumOf(outputs),
})
const toSummaryRow = (transaction: SimTransaction) => ({
  ...toSized(transaction),
  rate: transaction.feeSats / transaction.vsize,
  flags: 1_099_511_628_808,
  time: Math.floor(transaction.sentMs / 1000),
})

const toOutput = ({ address, sats }: SimEnd) => ({
  scriptpubkey: `0014${hexOf(address).slice(0, 40)}`,
  scriptpubkey_asm: `OP_0 OP_PUSHBYTES_20 ${hexOf(address).slice(0, 40)}`,
  scriptpubkey_type: 'v0_p2wpkh',
  scriptpubkey_address: address,
  value: sats,
})

function toFull({ txid, inputs, outputs, feeSats, vsize }: SimTransaction, block: SimBlock | undefined) {
  const input = { scriptsig: '', scriptsig_asm: '', sequence: 4_294_967_293 }
  return {
    txid,
    version: 2,
    locktime: 0,
    vin:
      inputs.length === 0
        ? [{ ...input, txid: '0'.repeat(64), vout: 4_294_967_295, prevout: null, is_coinbase: true }]
        : inputs.map((end, vout) => ({
            ...input,
            txid: hexOf(`before/${txid}/${vout}`),
            vout,
            prevout: toOutput(end),
            is_coinbase: false,
          })),
    vout: outputs.map(toOutput),
    size: vsize + 81,
    weight: vsize * 4,
    fee: feeSats,
    status: block
      ? {
          confirmed: true,
          block_height: block.height,
          block_hash: block.hash,
          block_time: block.atMs / 1000,
        }
      : { confirmed: false },
  }
}

function pricesAt(market: SimulatedMarket, nowMs: number) {
  const usd = Math.round(market.perpetual.at('BTC', nowMs).indexPrice)
  return {
    time: Math.floor(nowMs / 1000),
    USD: usd,
    EUR: Math.round(usd * 0.92),
    GBP: Math.round(usd * 0.79),
  }
}

/** The more wait, the more they pay. */
function feesAt(waiting: number) {
  const fastestFee = 1 + Math.floor(waiting / 8)
  return {
    fastestFee,
    halfHourFee: Math.max(1, fastestFee - 1),
    hourFee: Math.max(1, fastestFee - 2),
    economyFee: 1,
    minimumFee: 1,
  }
}
