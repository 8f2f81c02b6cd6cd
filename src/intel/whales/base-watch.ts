import type { BaseChain, ChainTransfer } from '../../upstreams/base-chain/base-chain.ts'
import { UpstreamError } from '../../upstreams/upstream.ts'
import { type ChainWatch, keepMovement } from './chain-watch.ts'
import { createExchangeFlows, type ExchangeFlows } from './exchange-flows.ts'
import { addNet, toMovement } from './movement.ts'
import type { WatchedToken } from './thresholds.ts'
import type { FindExchange } from './transfer.ts'
import { createTransferBook } from './transfer-book.ts'

/** What is needed of a node of Base. */
export type TransferSource = Pick<BaseChain, 'blockNumber' | 'block' | 'transfers'>

type BaseToken = Exclude<WatchedToken, 'BTC'>
type Options = {
  source: TransferSource
  findExchange: FindExchange
  /** Of one whole; undefined while it is not known. */
  priceUsd: (token: BaseToken) => number | undefined
}

const CONTRACTS: Readonly<Record<BaseToken, { address: string; units: number }>> = {
  USDC: { address: '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913', units: 1e6 },
  WETH: { address: '0x4200000000000000000000000000000000000006', units: 1e18 },
  cbBTC: { address: '0xcbb7c0000ab88b473b1f5afd9ef808440eed33bf', units: 1e8 },
}
const NAMES = Object.keys(CONTRACTS) as BaseToken[]

/** As many as make a payment count. */
const SETTLED_BLOCKS = 2
const BLOCK_MS = 2_000
/** A minute: USDC has some fifty transfers in a block, so this is a reply of about a megabyte. */
const BLOCKS_PER_ASK = 30
const ASKS_PER_READ = 5
/** Ten minutes: so far back it begins, at the start and after a longer outage, and says since when it is whole. */
const MOST_BLOCKS_BEHIND = 300

/** Large transfers of dollars, ether and bitcoin on Base, and every transfer to and from a known exchange. */
export function createBaseWatch({ source, findExchange, priceUsd }: Options): ChainWatch {
  const book = createTransferBook()
  const flows: Record<BaseToken, ExchangeFlows> = {
    USDC: createExchangeFlows(),
    WETH: createExchangeFlows(),
    cbBTC: createExchangeFlows(),
  }
  let lastRead: number | undefined
  let sinceMs: number | undefined
  let version = 0

  const keep = (found: Found, timeOf: (block: number) => number) => {
    const { token, price, rows } = found
    for (const [hash, ofOne] of Map.groupBy(rows, (row) => row.transactionHash)) {
      const movement = toMovement(netsOf(ofOne), (address) => findExchange('base', address))
      const atMs = timeOf(ofOne[0]?.blockNumber ?? 0)
      const seen = { chain: 'base', token, hash, atMs, isConfirmed: true } as const
      if (movement)
        keepMovement(
          { ...seen, movement, units: CONTRACTS[token].units, priceUsd: price },
          book,
          flows[token],
        )
    }
  }
  const readRange = async (fromBlock: number, toBlock: number) => {
    const prices = NAMES.map((token) => ({ token, price: knownPrice(priceUsd, token) }))
    const found = await Promise.all(
      prices.map(async ({ token, price }) => ({
        ...{ token, price },
        ...(await source.transfers(CONTRACTS[token].address, fromBlock, toBlock)),
      })),
    )
    // More than is read at once: the oldest are missing.
    const wholeFrom = Math.max(...found.map((each) => each.fromBlock))
    const used = found.flatMap(({ rows }) => rows.map(({ blockNumber }) => blockNumber))
    const timeOf = await readTimes(source, [wholeFrom, ...used, toBlock])
    for (const each of found) keep(each, timeOf)
    if (sinceMs === undefined || wholeFrom > fromBlock) sinceMs = timeOf(wholeFrom)
  }
  return {
    async read() {
      const head = Math.max(0, (await source.blockNumber()) - SETTLED_BLOCKS)
      // A node that lags a little behind another one is waited for; a chain that began anew is not.
      if (lastRead === undefined || Math.abs(head - lastRead) > MOST_BLOCKS_BEHIND) {
        lastRead = Math.max(0, head - MOST_BLOCKS_BEHIND)
        sinceMs = undefined
      }
      for (let ask = 0; ask < ASKS_PER_READ && lastRead < head; ask++) {
        const toBlock = Math.min(head, lastRead + BLOCKS_PER_ASK)
        await readRange(lastRead + 1, toBlock)
        lastRead = toBlock
        version++
      }
      return String(head)
    },
    transfers: book.list,
    flow: (token, span, nowMs) => (token === 'BTC' ? undefined : flows[token].sum(span, nowMs)),
    sinceMs: () => sinceMs,
    get version() {
      return version
    },
  }
}

type Found = { token: BaseToken; price: number; rows: readonly ChainTransfer[] }

/** Base makes blocks evenly, so the first and the last tell the others; a chain that does not is asked for each. */
async function readTimes(
  source: TransferSource,
  blocks: readonly number[],
): Promise<(block: number) => number> {
  const numbers = [...new Set(blocks)]
  const [firstNumber, lastNumber] = [Math.min(...numbers), Math.max(...numbers)]
  const [first, last] = await Promise.all([source.block(firstNumber), source.block(lastNumber)])
  const spanMs = (lastNumber - firstNumber) * BLOCK_MS
  const isEven = Math.abs(last.atMs - first.atMs - spanMs) <= BLOCK_MS
  if (isEven) return (block) => first.atMs + (block - firstNumber) * BLOCK_MS
  const each = await Promise.all(numbers.map((number) => source.block(number)))
  const times = new Map(each.map(({ number, atMs }) => [number, atMs]))
  return (block) => times.get(block) ?? last.atMs
}

function knownPrice(priceUsd: Options['priceUsd'], token: BaseToken): number {
  const price = priceUsd(token)
  if (price === undefined) throw new UpstreamError('busy', `no price of ${token} yet`)
  return price
}

function netsOf(rows: readonly ChainTransfer[]): Map<string, bigint> {
  const nets = new Map<string, bigint>()
  for (const { from, to, amount } of rows) {
    addNet(nets, from, -amount)
    addNet(nets, to, amount)
  }
  return nets
}
