import { z } from 'zod'
import { MAX_REASONS, readRows, type Skipped } from '../wire/list.ts'
import { maybeFlag, maybeNumber, wireNumber } from '../wire/number.ts'
import { wireArray } from '../wire/text.ts'
import { maybeTime, wireTime } from '../wire/time.ts'
import { orUnknown } from '../wire/unknown.ts'

// Formats: mempool.space/docs/api/rest. Amounts are in satoshi.

const MAX_SATS = 21e14
const MAX_HEIGHT = 1e9
/** A block has room for some 16,000 of the smallest transactions. */
const MAX_BLOCK_TRANSACTIONS = 50_000
const MAX_BLOCKS = 100
/** More inputs or outputs do not fit into a block. */
const MAX_ENDS = 50_000
const MAX_FEE_RATE = 1e7
const MAX_PRICE_USD = 1e9
const MAX_VSIZE = 4e6

const hash64 = () => z.string().regex(/^[0-9a-f]{64}$/, 'expected 64 hexadecimal digits')
const sats = () => wireNumber({ min: 0, max: MAX_SATS })
/** Base58 or bech32; outputs that carry text or a bare key have none. */
const address = () => orUnknown(z.string().regex(/^[a-zA-Z0-9]{14,90}$/))

const Block = z
  .object({
    id: hash64(),
    height: wireNumber({ min: 0, max: MAX_HEIGHT }),
    timestamp: wireTime(),
    tx_count: orUnknown(maybeNumber({ min: 0, max: MAX_BLOCK_TRANSACTIONS })),
  })
  .transform(({ id, height, timestamp, tx_count }) => ({
    hash: id,
    height,
    atMs: timestamp,
    transactions: tx_count,
  }))
export type Block = z.output<typeof Block>

/** `/api/v1/blocks`: the last blocks, newest first. One bad block refuses the reply: the ones after it would be missed. The chain has blocks, so a list without any is no answer. */
export const BlocksReply = wireArray(Block, MAX_BLOCKS, 1)

/** A transaction by its size only: `sats` is the sum of its outputs, change included. */
const Sized = z
  .object({
    txid: hash64(),
    value: sats(),
    fee: orUnknown(maybeNumber({ min: 0, max: MAX_SATS })),
    vsize: orUnknown(maybeNumber({ min: 0, max: MAX_VSIZE })),
  })
  .transform(({ txid, value, fee, vsize }) => ({ txid, sats: value, feeSats: fee, vsize }))
export type Sized = z.output<typeof Sized>
export type SizedList = { transactions: readonly Sized[]; skipped: Skipped }

/** `/api/v1/block/:hash/summary` and `/api/mempool/recent`. */
export const SizedReply = wireArray(z.unknown(), MAX_BLOCK_TRANSACTIONS).transform(
  (rows, { issues }): SizedList => {
    const read = readRows(rows, Sized)
    const skipped = { ...read.skipped, reasons: read.skipped.reasons.slice(0, MAX_REASONS) }
    if (read.isBroken)
      issues.push({
        code: 'custom',
        input: undefined,
        message: `${skipped.count} rows break the format: ${skipped.reasons[0]}`,
      })
    return { transactions: read.rows, skipped }
  },
)

const Output = z
  .object({ scriptpubkey_address: address(), value: sats() })
  .transform(({ scriptpubkey_address, value }) => ({ address: scriptpubkey_address, sats: value }))
const Input = z
  .object({ prevout: Output.nullish(), is_coinbase: orUnknown(maybeFlag()) })
  .transform(({ prevout }) => prevout ?? undefined)

/** `/api/tx/:txid`. An input without an output before it makes new coins. */
export const TransactionReply = z
  .object({
    txid: hash64(),
    vin: wireArray(Input, MAX_ENDS),
    vout: wireArray(Output, MAX_ENDS),
    status: z.object({
      confirmed: orUnknown(maybeFlag()),
      block_height: orUnknown(maybeNumber({ min: 0, max: MAX_HEIGHT })),
      block_time: orUnknown(maybeTime()),
    }),
  })
  .transform(({ txid, vin, vout, status }) => ({
    txid,
    inputs: vin.filter((input) => input !== undefined),
    outputs: vout,
    isMined: vin.some((input) => input === undefined),
    blockAtMs: status.confirmed === true ? status.block_time : undefined,
  }))
export type Transaction = z.output<typeof TransactionReply>

/** `/api/v1/prices`. */
export const PricesReply = z
  .object({ time: wireTime(), USD: wireNumber({ min: 1e-6, max: MAX_PRICE_USD }) })
  .transform(({ time, USD }) => ({ atMs: time, usd: USD }))

const feeRate = () => wireNumber({ min: 0, max: MAX_FEE_RATE })

/** `/api/v1/fees/recommended`, in satoshi for each virtual byte. */
export const FeesReply = z
  .object({
    fastestFee: feeRate(),
    halfHourFee: feeRate(),
    hourFee: feeRate(),
    economyFee: orUnknown(maybeNumber({ min: 0, max: MAX_FEE_RATE })),
    minimumFee: orUnknown(maybeNumber({ min: 0, max: MAX_FEE_RATE })),
  })
  .transform(({ fastestFee, halfHourFee, hourFee, minimumFee }) => ({
    nextBlock: fastestFee,
    halfHour: halfHourFee,
    hour: hourFee,
    minimum: minimumFee,
  }))
export type Fees = z.output<typeof FeesReply>
